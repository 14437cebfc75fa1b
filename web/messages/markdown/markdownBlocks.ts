import type { RootContent } from 'mdast'
import { groupEnd, intoGroups } from './groups.ts'
import type { Block, Group } from './groups.ts'
import { continued, growingIn } from './growing.ts'
import type { Growing } from './growing.ts'
import { continuesWords, withWords } from './endingWords.ts'
import { healedNodes } from './heal.ts'
import { longData } from './longData.ts'
import { normalised } from './normalised.ts'
import { codeOf, endOfFence, fenceAt, shownEnd } from './openFence.ts'
import type { OpenFence } from './openFence.ts'
import { parse } from './parse.ts'
import { parseWhole } from './parseWhole.ts'
import { sameNode } from './sameNode.ts'
import { keepBlocks } from './wholeBlocks.ts'

export type MarkdownBlocks = {
  readonly groups: readonly Group[]
  /** Takes the whole text there is; cheap when it only grew. */
  update(text: string, done: boolean): void
  /** Once the text is complete: parses it as a whole, a step a call, and swaps the blocks that came out differently. */
  settle(): Generator<undefined, void>
}

/** Markdown that grows. Only what follows the first unfinished top-level block is parsed again. */
export function markdownBlocks(): MarkdownBlocks {
  const data = longData()
  let source = ''
  let text = '' // the same, normalised and without long data
  let complete = false
  let offset = 0 // of the first unfinished block
  let fence: OpenFence | null = null
  let growing: Growing | null = null
  let tail: readonly RootContent[] = [] // the blocks after the frozen ones
  let tailEnd: number | null = null // where the source of the last of them ends, as it counts itself
  let frozen: Block[] = []
  let fullGroups: readonly Group[] = [] // they hold the first `grouped` frozen blocks
  let grouped = 0
  let groups: readonly Group[] = []

  const restart = () => {
    ;[offset, fence, growing, tailEnd, frozen, fullGroups, grouped] = [0, null, null, null, [], [], 0]
  }

  const freeze = (nodes: readonly RootContent[]) => {
    data.restore(nodes)
    for (const node of nodes) frozen.push({ key: frozen.length, node, open: false })
    for (let end = groupEnd(frozen, grouped); end !== null; end = groupEnd(frozen, grouped)) {
      fullGroups = [...fullGroups, frozen.slice(grouped, end)]
      grouped = end
    }
  }

  /** Freezes what can no longer change and answers with the blocks that still can. */
  const advance = (done: boolean): readonly RootContent[] => {
    tailEnd = null
    for (;;) {
      fence ??= fenceAt(text, (offset = afterBlankLines(text, offset)))
      if (!fence) {
        const tail = parseTail(done)
        if (tail) return tail
        continue
      }
      const end = endOfFence(text, fence, done)
      if (!end) return [codeOf(text, fence, done ? text.length : shownEnd(text, fence))]
      freeze([codeOf(text, fence, end.bodyEnd)])
      offset = end.next
      fence = null
    }
  }

  /** The blocks after the frozen ones, or null when they have to be looked at once more. */
  const parseTail = (done: boolean): readonly RootContent[] | null => {
    const preface = growing && 'preface' in growing ? growing.preface : ''
    const rest = preface + text.slice(growing?.from ?? offset)
    // Where in the text it would start, if all of it stood there.
    const from = text.length - rest.length
    const { children } = parse(rest, done)
    const join = (nodes: readonly RootContent[]) => (growing ? continued(growing, nodes) : nodes)
    if (!join(children)) {
      growing = null
      return null
    }
    if (done) return join(children)
    const { count, start } = settledPart(rest, children)
    if (count > 0) {
      freeze(join(children.slice(0, count)) ?? [])
      offset = from + start
      growing = null
      if (fenceAt(text, offset)) return null
    }
    const open = children.slice(count)
    const healed = healedNodes(rest.slice(start), open, start)
    const joined = join(healed.nodes)
    const shown = joined ?? join(open)
    if (joined) tailEnd = healed.end
    growing = growingIn(open, rest, from, growing)
    return shown
  }

  return {
    get groups() {
      return groups
    },
    update(whole, done) {
      if (whole === source && done === complete) return
      const before = text
      source = whole
      complete = done
      text = data.shortened(normalised(whole, done))
      if (!text.startsWith(before)) restart()
      const words = done ? '' : text.slice(before.length)
      tail = tailEnd !== null && continuesWords(tail, before, tailEnd, words) ? withWords(tail, words) : advance(done)
      data.restore(tail)
      const blocks = tail.map((node, at): Block => ({
        key: frozen.length + at,
        node,
        open: !done && at === tail.length - 1,
      }))
      groups = [...fullGroups, ...intoGroups([...frozen.slice(grouped), ...blocks])]
    },
    *settle() {
      const of = source
      const nodes = yield* parseWhole(text)
      if (of !== source) return
      data.restore(nodes)
      groups = exchanged(groups, nodes)
      keepBlocks(source, groups)
    },
  }
}

/** The groups of the whole text, with every block and group that is as it was being the same object. */
function exchanged(before: readonly Group[], nodes: readonly RootContent[]): readonly Group[] {
  const blocks = before.flat()
  const after = nodes.map((node, key): Block => {
    const old = blocks[key]
    return old && !old.open && sameNode(old.node, node) ? old : { key, node, open: false }
  })
  const old = new Map(before.map(group => [group[0]?.key, group]))
  return intoGroups(after).map(group => {
    const same = old.get(group[0]?.key)
    return same?.length === group.length && group.every((block, at) => block === same[at]) ? same : group
  })
}

/** How many blocks at the start are final, since the next one starts on a completed line, and where that one starts. */
function settledPart(tail: string, children: readonly RootContent[]): { count: number; start: number } {
  for (let count = children.length - 1; count > 0; count -= 1) {
    const next = children[count]
    const start = tail.lastIndexOf('\n', (next?.position?.start.offset ?? 0) - 1) + 1
    const ownLine = start >= (children[count - 1]?.position?.end.offset ?? Infinity)
    // A table is one by its second line; before that its head is the end of the paragraph above.
    const decided = next?.type === 'table' ? tail.indexOf('\n', start) + 1 : start
    if (ownLine && tail.includes('\n', decided)) return { count, start }
  }
  return { count: 0, start: 0 }
}

function afterBlankLines(text: string, offset: number): number {
  const blank = /(?:[ \t]*\n)*/y
  blank.lastIndex = offset
  return offset + (blank.exec(text)?.[0].length ?? 0)
}
