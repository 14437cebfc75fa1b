import { createContext, Fragment, type ReactNode, useContext } from 'react'

/**
 * Draws the mark of a source that an endpoint names, `[1]`; null if there is none of this number. The message provides
 * it.
 */
export const DrawSource = createContext<((number: number) => ReactNode) | null>(null)

/** As endpoints write them: [1], [1, 2], [^1^], [citation:1], [cite: 1], [ref_1], 【1】, 【4†source】. */
const MARK =
  /\[(?:\^|(?:citation|cite|source|ref)[:_]?\s*)?(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)\^?\]|【(?:\^|(?:来源|引用)?)(\d{1,3})(?:†[^【】]*)?\^?】/gi

/**
 * Before an index into an array: `a[1]`, `nums[1]`, `row_2[1]`, `f(x)[1]`. Words, names and years stand before marks:
 * `in 2024[1]`, `GitHub[1]`.
 */
const INDEXED =
  /(?:^|[^A-Za-z0-9_$])(?:[a-z]|(?!macOS)[a-z]{2,}[A-Z]\w*|[a-z_$]\w*[\d_]\w*|[Aa]rr(?:ay)?|args|argv|board|list|nums?|numbers|data|dict|df|dp|grid|items|keys|map|mat(?:rix)?|obj|parts|result|rows?|cols?|str|tuple|values|vec)$|[A-Za-z_]\([^()]*\)$/
/** What follows one: `x[1].name`, `x[1] = 2`, `x[1](…)`. */
const USED = /^(?:\.[A-Za-z_]|\(|\s*(?:[-+*/%|&]?=|[<>+*/%](?=\s))|\[[A-Za-z])/

export function withSources(text: string): ReactNode {
  return /[[【]/.test(text) && text.search(MARK) !== -1 ? <Marked text={text} /> : text
}

function Marked({ text }: { text: string }) {
  const draw = useContext(DrawSource)
  if (draw === null) return text
  const pieces: ReactNode[] = []
  let from = 0
  let isIndex = false
  for (const { 0: mark, 1: listed, 2: alone, index } of text.matchAll(MARK)) {
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
