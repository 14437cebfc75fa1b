import type { Html, Nodes } from 'mdast'
import { Fragment, type ReactNode } from 'react'
import styles from './markdown.module.css'
import { pairsOf, type Tag, tagOf } from './tags.ts'

const LINE_BREAK = /^<br(?:\s[^<>]*|\/)?>$/i
const ANY_TAG = /(<\/?[a-z][^<>]*>)/i
/** The tag that is still being written. */
const HALF_TAG = /<\/?[a-z]*$/i

/** The children with those elements of HTML that are made from the tree; `grows` when more is on its way behind the last. */
export function withMarkup(
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
    const inside = elementsOf(tags, pairs, drawn, at + 1, end)
    elements.push(
      Element === 'details' ? (
        <details key={at} open={tag.open}>
          {inside}
        </details>
      ) : (
        <Element key={at}>{inside}</Element>
      ),
    )
    at = end
  }
  return elements
}

/** A piece of HTML that is not one of a pair: a line break, a whole block with what may be made of it, or text. */
export function markupOf({ value, block }: Html, grows: boolean): ReactNode {
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

/** Line endings beside what is a block of its own are none of the text. */
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
