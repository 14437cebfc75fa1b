import { createContext, type ReactNode, useContext } from 'react'
import { withSources } from './sourceMarks.tsx'

/** Draws the citation of a source. The message provides it, since only it knows its sources. */
export const DrawCitation = createContext<((number: number) => ReactNode) | null>(null)

/**
 * Stands for a citation in the Markdown text. The Chinese brackets are those of the upstream's own marks, so the parser
 * treats text around them alike; the letter is from the private use area.
 */
const MARK = /\u3010\uE200(\d{1,4})\u3011/g

export function citationMark(number: number): string {
  return `\u3010\uE200${number}\u3011`
}

/** The text with its citations drawn, if the context has a function for it. */
export function withCitations(text: string): ReactNode {
  return text.includes('\uE200') ? <Cited text={text} /> : withSources(text)
}

/** For code, formulas and addresses. */
export function withoutMarks(text: string): string {
  return text.includes('\uE200') ? text.replaceAll(MARK, '') : text
}

/** Only the citations of the text. */
export function marksOf(text: string): ReactNode {
  return text.includes('\uE200') ? <Cited text={[...text.matchAll(MARK)].map(([mark]) => mark).join('')} /> : null
}

function Cited({ text }: { text: string }) {
  const draw = useContext(DrawCitation)
  if (draw === null) return text
  // Split by an expression with one group, every other piece is a number.
  return text.split(MARK).map((piece, at) => (at % 2 === 0 ? piece : <span key={at}>{draw(Number(piece))}</span>))
}
