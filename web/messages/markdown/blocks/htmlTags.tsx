import type { Html, Nodes } from 'mdast'
import { Fragment, type ReactNode } from 'react'
import styles from './markdown.module.css'

const LINE_BREAK = /^<br(?:\s[^<>]*|\/)?>$/i
const ANY_TAG = /(<\/?[a-z][^<>]*>)/i
/** A tag that has not arrived as a whole. */
const HALF_TAG = /<\/?[a-z]*$/i

/**
 * Draws the children, with an element for each pair of allowed HTML tags. `grows` says that more follows the last
 * child.
 */
export function withInlineTags(
  children: readonly Nodes[],
  grows: boolean,
  draw: (child: Nodes, at: number) => ReactNode,
): ReactNode[] {
  const tags = children.map(child => (child.type === 'html' && !child.block ? tagOf(child.value) : null))
  const pairs = tags.some(tag => tag !== null) ? pairsOf(tags, grows, false) : new Map<number, number>()
  const drawn = (at: number) => {
    const child = children[at]
    return child && <Fragment key={at}>{draw(child, at)}</Fragment>
  }
  return elementsOf(tags, pairs, drawn, 0, children.length)
}

type Pairs = ReadonlyMap<number, number>

function elementsOf(
  tags: readonly (Tag | null)[],
  pairs: Pairs,
  drawn: (at: number) => ReactNode,
  from: number,
  to: number,
): ReactNode[] {
  const elements: ReactNode[] = []
  for (let at = from; at < to; at += 1) {
    const tag = tags[at]
    const end = pairs.get(at)
    if (!tag || end === undefined) {
      elements.push(drawn(at))
      continue
    }
    const Element = tag.name
    elements.push(
      <Element key={at} {...(Element === 'details' && { open: tag.open })}>
        {elementsOf(tags, pairs, drawn, at + 1, end)}
      </Element>,
    )
    at = end
  }
  return elements
}

/** Renders HTML that is not one of a pair: a line break, a block with its allowed elements, or text. */
export function renderHtml({ value, block }: Html, grows: boolean): ReactNode {
  if (LINE_BREAK.test(value)) return <br />
  if (!block) return <span className={styles.html}>{value}</span>
  const pieces = (grows ? value.replace(HALF_TAG, '') : value).split(ANY_TAG)
  const tags = pieces.map(tagOf)
  const pairs = pairsOf(tags, grows, true)
  if (pairs.size === 0 && !pieces.some(piece => LINE_BREAK.test(piece)))
    return (
      <p dir="auto" className={styles.html}>
        {value}
      </p>
    )
  const drawn = (at: number) => pieceOf(pieces, tags, pairs, at)
  return (
    <div dir="auto" className={styles.html}>
      {elementsOf(tags, pairs, drawn, 0, pieces.length)}
    </div>
  )
}

/** Drops line endings beside an element that is a block. */
function pieceOf(pieces: readonly string[], tags: readonly (Tag | null)[], pairs: Pairs, at: number): ReactNode {
  const piece = pieces[at] ?? ''
  if (LINE_BREAK.test(piece)) return <br key={at} />
  const ends = new Set(pairs.values())
  const isBlock = (other: number) =>
    (tags[other]?.name === 'details' || tags[other]?.name === 'summary') && (pairs.has(other) || ends.has(other))
  let text = piece
  if (isBlock(at - 1)) text = text.replace(/^\s*\n|^\s+$/, '')
  if (isBlock(at + 1)) text = text.replace(/\n\s*$/, '')
  return text
}

/** The HTML elements that are rendered; any other tag is shown as text. */
type TagName = 'sub' | 'sup' | 'kbd' | 'mark' | 'u' | 'details' | 'summary'

export type Tag = { readonly name: TagName; readonly closes: boolean; readonly open: boolean }

const TAG = /^<(\/?)(sub|sup|kbd|mark|u|details|summary)(\s[^<>]*)?>$/i
const INLINE = new Set<TagName>(['sub', 'sup', 'kbd', 'mark', 'u'])

/** Nesting of elements. */
const DEEPEST = 20

/** The tag that this HTML is. Of its attributes only `open` of details counts. */
function tagOf(html: string): Tag | null {
  const [, slash, written, attributes = ''] = TAG.exec(html) ?? []
  // The expression matches only these names.
  const name = written?.toLowerCase() as TagName | undefined
  return name === undefined
    ? null
    : { name, closes: slash === '/', open: name === 'details' && /\sopen(?=[\s=]|$)/i.test(attributes) }
}

/**
 * The pairs of tags, by the index of the opening one. Tags that overlap or have no counterpart form none; in a growing
 * text an open tag ends with the text.
 */
function pairsOf(tags: readonly (Tag | null)[], grows: boolean, inBlock: boolean): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: { at: number; name: TagName }[] = []
  const pair = (at: number, depth: number, end: number) => {
    if (depth < DEEPEST) pairs.set(at, end)
  }
  for (const [at, tag] of tags.entries()) {
    if (tag === null || !(inBlock || INLINE.has(tag.name))) continue
    if (!tag.closes) {
      if (fits(tag.name, open.at(-1)?.name)) open.push({ at, name: tag.name })
      continue
    }
    const opening = open.slice(-DEEPEST).findLastIndex(({ name }) => name === tag.name)
    if (opening === -1) continue
    const depth = Math.max(0, open.length - DEEPEST) + opening
    pair(open[depth]?.at ?? 0, depth, at)
    open.length = depth
  }
  if (grows) for (const [depth, { at }] of open.entries()) pair(at, depth, tags.length)
  removeSummariesAlone(tags, pairs)
  return pairs
}

/** A summary is rendered only within details whose end was found; behind a blank line it is in another block. */
function removeSummariesAlone(tags: readonly (Tag | null)[], pairs: Map<number, number>): void {
  let detailsEnd = 0
  for (const [at, tag] of tags.entries()) {
    if (tag?.name === 'details') detailsEnd = Math.max(detailsEnd, pairs.get(at) ?? 0)
    if (tag?.name === 'summary' && at > detailsEnd) pairs.delete(at)
  }
}

/** A summary stands in details, and details stand only in each other. */
function fits(name: TagName, parent: TagName | undefined): boolean {
  if (name === 'summary') return parent === 'details'
  return name !== 'details' || parent === undefined || parent === 'details'
}
