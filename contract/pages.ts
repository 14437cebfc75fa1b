/** Which pages of a document, as people write it: "1-24, 30". */
import * as z from 'zod/mini'

/** The most pages that a document is read of. */
export const MAX_PAGES = 5_000
/** Characters. */
const MAX_LENGTH = 400

/** First and last page, from 1 on. */
export type PageRange = { first: number; last: number }

/** The ranges in their order; null where it is none. Blanks and the dashes that keyboards write are taken as meant. */
export function rangesIn(text: string): PageRange[] | null {
  if (text.length > MAX_LENGTH) return null
  const ranges = text.split(/[,，、;；]/).map(part => rangeIn(part.trim()))
  return ranges.every(range => range !== null) ? ranges : null
}

function rangeIn(part: string): PageRange | null {
  const [, from = '', to = from] = /^(\d{1,5})(?:\s*[-–—~～至]\s*(\d{1,5}))?$/.exec(part) ?? []
  const range = { first: Number(from), last: Number(to) }
  return range.first >= 1 && range.first <= range.last && range.last <= MAX_PAGES ? range : null
}

export const Pages = z.string().check(
  z.maxLength(MAX_LENGTH),
  z.refine(text => rangesIn(text) !== null, 'not pages, such as 1-24, 30'),
)

/** The numbers of the pages that are meant and that there are, in their order; all of them, where none are named. */
export function pagesIn(text: string | null | undefined, page_count: number): number[] {
  const ranges = text == null ? null : rangesIn(text)
  const all = Array.from({ length: page_count }, (_, index) => index + 1)
  return ranges === null ? all : all.filter(page => ranges.some(({ first, last }) => first <= page && page <= last))
}

/** The same as text: "1-24, 30". */
export function textOfPages(numbers: readonly number[]): string {
  const ranges: PageRange[] = []
  for (const page of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const previous = ranges.at(-1)
    if (previous !== undefined && previous.last === page - 1) previous.last = page
    else ranges.push({ first: page, last: page })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}

/** Parts the pages in the text of a document. */
export const PAGE_END = '\f'
