import { createContext, Fragment, type ReactNode, useContext } from 'react'

/**
 * Draws the mark of a source that an endpoint names, `[1]`; null if there is none of this number. The message provides
 * it.
 */
export const DrawSource = createContext<((number: number) => ReactNode) | null>(null)

/** As endpoints write them: [1], [1, 2], [^1^], [citation:1], [cite: 1], [ref_1], 【1】, 【4†source】. */
const SOURCE_MARK =
  /\[(?:\^|(?:citation|cite|source|ref)[:_]?\s*)?(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\^?\]|【(?:\^|(?:来源|引用)?)(\d{1,3})(?:†[^【】]*)?\^?】/gi

/**
 * Before an index into an array: `a[1]`, `nums[1]`, `row_2[1]`, `f(x)[1]`. Words, names and years stand before marks:
 * `in 2024[1]`, `GitHub[1]`.
 */
const INDEXED =
  /(?:^|[^A-Za-z0-9_$])(?:[a-z]|(?!macOS)[a-z]{2,}[A-Z]\w*|[a-z_$]\w*[\d_]\w*|[Aa]rr(?:ay)?|args|argv|board|list|nums?|numbers|data|dict|df|dp|grid|items|keys|map|mat(?:rix)?|obj|parts|result|rows?|cols?|str|tuple|values|vec)$|[A-Za-z_]\([^()]*\)$/
/** What follows one: `x[1].name`, `x[1] = 2`, `x[1](…)`. */
const USED = /^(?:\.[A-Za-z_]|\(|\s*(?:[-+*/%|&]?=|[<>+*/%](?=\s))|\[[A-Za-z])/

function withSources(text: string): ReactNode {
  return /[[【]/.test(text) && text.search(SOURCE_MARK) !== -1 ? <Marked text={text} /> : text
}

function Marked({ text }: { text: string }) {
  const draw = useContext(DrawSource)
  if (draw === null) return text
  const pieces: ReactNode[] = []
  let from = 0
  let isIndex = false
  for (const { 0: mark, 1: listed, 2: alone, index } of text.matchAll(SOURCE_MARK)) {
    const end = index + mark.length
    // All indexes in a row belong to the same name: `grid[1][2]`.
    if (index !== from || !isIndex)
      isIndex =
        mark.startsWith('[') &&
        (INDEXED.test(text.slice(Math.max(0, index - 40), index)) || USED.test(text.slice(end, end + 8)))
    const links = isIndex ? [] : (listed ?? alone ?? '').split(/\D+/).map(number => draw(Number(number)))
    const isKnown = links.length > 0 && links.every(link => link !== null)
    pieces.push(text.slice(from, isKnown ? index : end))
    if (isKnown) pieces.push(...links.map((link, at) => <Fragment key={`${index} ${at}`}>{link}</Fragment>))
    from = end
  }
  return [...pieces, text.slice(from)]
}

/** Draws the citation of a source. The message provides it, since only it knows its sources. */
export const DrawCitation = createContext<((number: number) => ReactNode) | null>(null)

/**
 * Stands for a citation in the Markdown text. The Chinese brackets are those of the upstream's own marks, so the parser
 * treats text around them alike; the letter is from the private use area.
 */
const CITATION_MARK = /\u3010\uE200(\d{1,4})\u3011/g

export function citationMark(number: number): string {
  return `\u3010\uE200${number}\u3011`
}

/** The text with its citations drawn, if the context has a function for it. */
export function withCitations(text: string): ReactNode {
  return text.includes('\uE200') ? <Cited text={text} /> : withSources(text)
}

/** For code, formulas and addresses. */
export function withoutMarks(text: string): string {
  return text.includes('\uE200') ? text.replaceAll(CITATION_MARK, '') : text
}

/** Only the citations of the text. */
export function marksOf(text: string): ReactNode {
  return text.includes('\uE200') ? (
    <Cited text={[...text.matchAll(CITATION_MARK)].map(([mark]) => mark).join('')} />
  ) : null
}

function Cited({ text }: { text: string }) {
  const draw = useContext(DrawCitation)
  if (draw === null) return text
  // Split by an expression with one group, every other piece is a number.
  return text
    .split(CITATION_MARK)
    .map((piece, at) => (at % 2 === 0 ? piece : <span key={at}>{draw(Number(piece))}</span>))
}
