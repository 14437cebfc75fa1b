import * as z from 'zod/mini'
import { Citation } from '#contract/messages.ts'
import { isRaw, type Raw, textAt } from './rawValues.ts'

type Cited = { text: string; citations: z.infer<typeof Citation>[] }

/** Signs of the upstream's own, between which it writes what stands for a source or a picture. */
const MARK = /\uE200[^\uE201]*\uE201/g

/** The text without the upstream's marks, and the sources at the places where they stood. Older exports name the places themselves. */
export function citedFrom(text: string, metadata: Raw): Cited {
  const older = z.array(Citation).safeParse(metadata['citations'])
  const references = Array.isArray(metadata['content_references']) ? metadata['content_references'].filter(isRaw) : []
  if (!MARK.test(text)) return { text, citations: older.data ?? [] }
  MARK.lastIndex = 0
  const citations: z.infer<typeof Citation>[] = []
  let said = ''
  let from = 0
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    said += text.slice(from, index)
    from = index + mark.length
    const reference = references.find(each => textAt(each, 'matched_text') === mark)
    for (const page of pagesOf(reference)) citations.push({ start_ix: said.length, end_ix: said.length, metadata: page })
  }
  return { text: said + text.slice(from), citations: inCharacters(said, citations) }
}

function pagesOf(reference: Raw | undefined): { title: string | null; url: string; text: string | null }[] {
  const items = Array.isArray(reference?.['items']) ? reference['items'].filter(isRaw) : []
  return items.flatMap(item => {
    const url = textAt(item, 'url')
    return url === null ? [] : [{ title: textAt(item, 'title'), url, text: textAt(item, 'snippet') }]
  })
}

/** Places of the upstream are counted in characters, and readers here expect them so. */
function inCharacters(text: string, citations: z.infer<typeof Citation>[]): z.infer<typeof Citation>[] {
  if (!/[\uD800-\uDBFF]/.test(text)) return citations
  return citations.map(citation => {
    const at = Array.from(text.slice(0, citation.start_ix)).length
    return { ...citation, start_ix: at, end_ix: at }
  })
}
