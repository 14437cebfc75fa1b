import { BOX } from '#web/messages/markdown/blocks/blockGroups.ts'

/** Screens on either side of what is read that are laid out before the reader comes there. */
const AHEAD = 4

/** How wide the page was when a box was laid out. */
const laidOut = new WeakMap<Element, number>()

/**
 * Lays out what is near to what is read, a box a step, the nearest first. The browser skips what is out of sight, and lays it
 * out in the very frame that is to show it, which takes too long when much comes at once. To ask for the place of something
 * in a skipped box has that box laid out, and no other.
 */
export function* layoutAhead(scroller: HTMLElement, content: HTMLElement): Generator<undefined, void> {
  const screen = scroller.getBoundingClientRect()
  for (const box of boxesAround(content, screen)) {
    if (laidOut.get(box) === screen.width) continue
    laidOut.set(box, screen.width)
    box.firstElementChild?.getBoundingClientRect()
    yield
  }
}

/** The turns from the middle of the screen on in both directions, in turn, each with the boxes in it. */
function* boxesAround(content: HTMLElement, screen: DOMRect): Generator<Element, void> {
  const room = screen.height * AHEAD
  const turns = content.children
  let below = firstBelow(turns, (screen.top + screen.bottom) / 2)
  let above = below - 1
  let [isAbove, isBelow] = [true, true]
  while (isAbove || isBelow) {
    const [before, after] = [turns[above], turns[below]]
    isAbove = isAbove && before !== undefined && before.getBoundingClientRect().bottom > screen.top - room
    if (isAbove && before !== undefined) yield* boxesOf(before)
    isBelow = isBelow && after !== undefined && after.getBoundingClientRect().top < screen.bottom + room
    if (isBelow && after !== undefined) yield* boxesOf(after)
    above -= 1
    below += 1
  }
}

function* boxesOf(turn: Element): Generator<Element, void> {
  if (turn.localName !== 'section') return
  yield turn
  yield* turn.querySelectorAll(BOX)
}

/** Which of these, one below the other, is the first that begins further down. */
function firstBelow(turns: HTMLCollection, y: number): number {
  let [from, to] = [0, turns.length]
  while (from < to) {
    const at = (from + to) >> 1
    if ((turns[at]?.getBoundingClientRect().top ?? 0) < y) from = at + 1
    else to = at
  }
  return from
}
