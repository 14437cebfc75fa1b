import { createContext, type ReactNode, useContext } from 'react'

/** Draws the citation of a source. The message provides it, since only it knows its sources. */
export const DrawCitation = createContext<((number: number) => ReactNode) | null>(null)

/**
 * Where a source is cited, as long as the text is Markdown. In Chinese brackets, for the parser to see the marks around it as
 * it would have seen those of the upstream; the letter is of no alphabet.
 */
const MARK = /\u3010\uE200(\d{1,4})\u3011/g

export function citationMark(number: number): string {
  return `\u3010\uE200${number}\u3011`
}

/** The text with its citations drawn, where there is somebody to draw them. */
export function withCitations(text: string): ReactNode {
  return text.includes('\uE200') ? <Cited text={text} /> : text
}

/** For what must be letters only: code, formulas, addresses. */
export function withoutMarks(text: string): string {
  return text.includes('\uE200') ? text.replaceAll(MARK, '') : text
}

/** The citations that were taken out of it. */
export function marksOf(text: string): ReactNode {
  return text.includes('\uE200') ? <Cited text={[...text.matchAll(MARK)].map(([mark]) => mark).join('')} /> : null
}

function Cited({ text }: { text: string }) {
  const draw = useContext(DrawCitation)
  if (draw === null) return text
  // Split by an expression with one group, every other piece is a number.
  return text.split(MARK).map((piece, at) => (at % 2 === 0 ? piece : <span key={at}>{draw(Number(piece))}</span>))
}
