import type { Nodes, Paragraph, RootContent, Text } from 'mdast'
import { type Block, type Group, groupEnd, intoGroups } from '../parser/blockGroups.ts'
import { MAX_LINE, longLineFrom, longLineIn } from '../parser/longLines.ts'
import { parse } from '../parser/parse.ts'
import { keepBlocks, parseInSteps } from '../parser/parseWhole.ts'
import { afterBlankLines } from '../parser/sections.ts'
import { sourceText } from '../parser/sourceText.ts'
import { closeOpenMarks } from './closeMarks.ts'
import {
  codeOf,
  endOfFence,
  fenceAt,
  joined,
  shownEnd,
  type UnclosedFence,
  type UnfinishedBlock,
  unfinishedBlockIn,
} from './unfinishedBlock.ts'

export type IncrementalParser = {
  readonly groups: readonly Group[]
  /** Takes the whole text received so far. Cheap when text was only appended. */
  update(text: string, done: boolean): void
  /** Parses first words that are shown without the parser: its first use takes long, and is a task of its own. */
  prewarm(): void
  /** For a complete text: parses all of it at once, a step a call, and replaces the blocks that differ. */
  reparse(): Generator<undefined, void>
}

/** Parses Markdown that grows. Finished top-level blocks are frozen; each update parses only what follows them. */
export function incrementalParser(): IncrementalParser {
  const prepared = sourceText()
  let [source, complete] = ['', false]
  let text = '' // the source as it is parsed
  let offset = 0 // of the first block that is not frozen
  let fence: UnclosedFence | null = null
  let unfinished: UnfinishedBlock | null = null
  let tail: readonly RootContent[] = [] // the blocks after the frozen ones
  let tailEnd: number | null = null // offset at which the source of the last of them ends, by its own positions
  let frozen: Block[] = []
  let fullGroups: readonly Group[] = [] // they hold the first `grouped` frozen blocks
  let grouped = 0
  let groups: readonly Group[] = []
  let [inLongLine, unparsed] = [false, false] // `offset` is within one; the first words are shown without the parser

  const restart = () => {
    ;[offset, fence, unfinished, tailEnd, frozen, fullGroups, grouped] = [0, null, null, null, [], [], 0]
    inLongLine = false
  }

  const freeze = (nodes: readonly RootContent[]) => {
    prepared.restore(nodes)
    for (const node of nodes) frozen.push({ key: frozen.length, node, open: false })
    for (let end = groupEnd(frozen, grouped); end !== null; end = groupEnd(frozen, grouped)) {
      fullGroups = [...fullGroups, frozen.slice(grouped, end)]
      grouped = end
    }
  }

  /** Freezes what is before a line that is too long to parse, and its pieces but the last; null if there is none. */
  const advanceLongLine = (done: boolean): readonly RootContent[] | null => {
    const start = inLongLine ? offset : longLineIn(text, offset)
    if (start === null) return null
    const before = text.slice(0, start)
    // What seemed to go on with a list or table may not.
    if (!inLongLine) freeze(parseTail(before, true) ?? parseTail(before, true) ?? [])
    const { final, last, next, isOpen } = longLineFrom(text, start)
    freeze(final)
    ;[offset, unfinished, inLongLine] = [next, null, isOpen]
    return isOpen ? last : advance(done)
  }

  /** Freezes the blocks that are final and returns the others. */
  const advance = (done: boolean): readonly RootContent[] => {
    tailEnd = null
    for (;;) {
      if (!inLongLine) fence ??= fenceAt(text, (offset = afterBlankLines(text, offset)))
      if (!fence) {
        const tail = advanceLongLine(done) ?? parseTail(text, done)
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

  /** The blocks after the frozen ones; null when `advance` has to go on from a new offset. */
  const parseTail = (text: string, done: boolean): readonly RootContent[] | null => {
    const preface = unfinished && 'preface' in unfinished ? unfinished.preface : ''
    const rest = preface + text.slice(unfinished?.from ?? offset)
    // Where `rest` would start in the text if its preface stood there, too.
    const from = text.length - rest.length
    const { children } = parse(rest, done)
    const join = (nodes: readonly RootContent[]) => (unfinished ? joined(unfinished, nodes) : nodes)
    const whole = join(children)
    if (!whole) unfinished = null
    if (!whole || done) return whole
    const { count, start } = finalPart(rest, children)
    if (count > 0) {
      freeze(join(children.slice(0, count)) ?? [])
      offset = from + start
      unfinished = null
      if (fenceAt(text, offset)) return null
    }
    const open = children.slice(count)
    const closed = closeOpenMarks(rest.slice(start), open, start)
    const closedTail = join(closed.nodes)
    if (closedTail) tailEnd = closed.end
    const shown = closedTail ?? join(open)
    unfinished = unfinishedBlockIn(open, rest, from, unfinished)
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
      text = prepared.prepare(whole, done)
      if (!text.startsWith(before)) restart()
      const added = done ? '' : text.slice(before.length)
      if (tailEnd !== null && isOnlyWords(tail, before, tailEnd, added)) tail = withWords(tail, added)
      else if (before === '' && added.length < MAX_LINE && FIRST_WORDS.test(added))
        [tail, tailEnd, unparsed] = [[paragraphOf(added)], added.length, true]
      else tail = advance(done)
      prepared.restore(tail)
      groups = [...fullGroups, ...intoGroups([...frozen.slice(grouped), ...blocksOf(tail, frozen.length, done)])]
    },
    prewarm() {
      if (unparsed) parse(text, false)
      unparsed = false
    },
    *reparse() {
      const parsed = source
      const nodes = yield* parseInSteps(text)
      if (parsed !== source) return
      prepared.restore(nodes)
      groups = replaceChanged(groups, nodes)
      keepBlocks(source, groups)
    },
  }
}

const blocksOf = (nodes: readonly RootContent[], first: number, done: boolean) =>
  nodes.map((node, at): Block => ({ key: first + at, node, open: !done && at === nodes.length - 1 }))

/** The groups of the whole text. Blocks and groups that did not change stay the same objects. */
function replaceChanged(before: readonly Group[], nodes: readonly RootContent[]): readonly Group[] {
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

/**
 * How many blocks at the start are final, and where the next one starts: a block is final when the next one has a
 * complete line.
 */
function finalPart(tail: string, children: readonly RootContent[]): { count: number; start: number } {
  for (let count = children.length - 1; count > 0; count -= 1) {
    const next = children[count]
    const start = tail.lastIndexOf('\n', (next?.position?.start.offset ?? 0) - 1) + 1
    const ownLine = start >= (children[count - 1]?.position?.end.offset ?? Infinity)
    // The second line makes a table; until then its head is the end of the paragraph above.
    const decided = next?.type === 'table' ? tail.indexOf('\n', start) + 1 : start
    if (ownLine && tail.includes('\n', decided)) return { count, start }
  }
  return { count: 0, start: 0 }
}

/** Characters that neither begin nor end anything when they follow a letter: no Markdown, no URL, no line. */
const WORDS = /^[\p{L}\p{M}\p{N} ,，。、；：？！“”‘’（）《》—…]+$/u

/**
 * Nothing but a paragraph begins with them. The first piece of an answer is shown without the parser, whose first use
 * takes long.
 */
const FIRST_WORDS = /^\p{L}[\p{L}\p{M}\p{N} ,，。、；：？！]*$/u

function paragraphOf(words: string): Paragraph {
  const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: words.length } }
  return { type: 'paragraph', children: [{ type: 'text', value: words, position }], position }
}

/**
 * Whether `added` only continues the last text of these nodes, whose source ends at `end`: then nothing needs to be
 * parsed.
 */
function isOnlyWords(nodes: readonly RootContent[], source: string, end: number, added: string): boolean {
  const last = added.length < MAX_LINE ? lastText(nodes.at(-1)) : undefined
  // One that becomes too long for the parser is shown in pieces.
  const fits = last !== undefined && last.value.length + added.length < MAX_LINE
  return fits && last.position?.end.offset === end && WORDS.test(added) && WORDS.test(source.slice(-1))
}

/** The same nodes with these words appended to their last text; every node on the way to it is a new one. */
function withWords(nodes: readonly RootContent[], words: string): readonly RootContent[] {
  const last = nodes.at(-1)
  return last ? [...nodes.slice(0, -1), nodeWithWords(last, words)] : nodes
}

function nodeWithWords<N extends Nodes>(node: N, words: string): N {
  if (node.type === 'text') return { ...node, value: node.value + words }
  const last = 'children' in node ? node.children.at(-1) : undefined
  return last && 'children' in node
    ? { ...node, children: [...node.children.slice(0, -1), nodeWithWords(last, words)] }
    : node
}

/** None in a link: its address may grow with its text. */
function lastText(node: Nodes | undefined): Text | undefined {
  if (node?.type === 'text') return node
  return node && 'children' in node && node.type !== 'link' && node.type !== 'linkReference'
    ? lastText(node.children.at(-1))
    : undefined
}

const NOT_CONTENT = new Set(['children', 'position', 'data', 'pending'])

/** Whether two trees show the same, wherever they stand in their texts. */
export function sameNode(one: Nodes, other: Nodes): boolean {
  if (one === other) return true
  const keys = contentKeys(one)
  if (keys.length !== contentKeys(other).length) return false
  const otherFields = new Map<string, unknown>(Object.entries(other))
  for (const [key, value] of Object.entries(one)) {
    if (!NOT_CONTENT.has(key) && !sameField(value, otherFields.get(key))) return false
  }
  return sameChildren(one, other)
}

const contentKeys = (node: Nodes) =>
  Object.entries(node).filter(([key, value]) => !NOT_CONTENT.has(key) && value !== null && value !== undefined)

function sameChildren(one: Nodes, other: Nodes): boolean {
  if (!('children' in one) || !('children' in other)) return 'children' in one === 'children' in other
  const others: readonly Nodes[] = other.children
  const ones: readonly Nodes[] = one.children
  return (
    ones.length === others.length &&
    ones.every((child, at) => {
      const same = others[at]
      return same !== undefined && sameNode(child, same)
    })
  )
}

function sameField(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => value === other[at])
  }
  return (one ?? null) === (other ?? null)
}
