import type { Message } from '#contract/messages.ts'
import { safeLink } from './markdown/safeUrl.ts'

/** A page that an answer cites. The same address has the same number wherever it is cited. */
export type CitedSource = { number: number; url: string; domain: string; title: string; quote: string | null }

/** `end` is where its chip stands; what lies between is the mark of the upstream, or "" when the words themselves are cited. */
type Place = { start: number; end: number; source: CitedSource }

/** 【6†source】, which the upstream writes where a source is meant. */
const MARK = /^\u3010[^\u3010\u3011]*\u2020[^\u3010\u3011]*\u3011$/

/** The sources of a message in the order of their numbers. Addresses that lead nowhere safe are no sources. */
export function sourcesOf({ metadata }: Pick<Message, 'metadata'>): CitedSource[] {
  const sources = new Map<string, CitedSource>()
  for (const page of pagesOf(metadata)) {
    const link = safeLink(page?.url ?? '')
    if (link?.kind !== 'outside' || sources.has(link.href)) continue
    const { host } = new URL(link.href)
    sources.set(link.href, {
      number: sources.size + 1,
      url: link.href,
      domain: host.replace(/^www\./, ''),
      title: page?.title?.trim() || host || link.href,
      quote: page?.text?.trim() || null,
    })
  }
  return [...sources.values()]
}

/** The text with what `write` makes of each citation, in the place of the upstream's mark or behind the words that are cited. */
export function citedText(
  text: string,
  message: Pick<Message, 'metadata'>,
  write: (number: number, url: string) => string,
): string {
  let written = ''
  let from = 0
  for (const { start, end, source } of placesIn(text, message)) {
    if (start < from) continue
    written += text.slice(from, MARK.test(text.slice(start, end)) ? start : end) + write(source.number, source.url)
    from = end
  }
  return written + text.slice(from)
}

function placesIn(text: string, message: Pick<Message, 'metadata'>): Place[] {
  const sources = sourcesOf(message)
  if (sources.length === 0) return []
  return citationsOf(message.metadata)
    .flatMap(({ start_ix, end_ix, metadata }): Place[] => {
      const link = safeLink(metadata?.url ?? '')
      const source = link?.kind === 'outside' ? sources.find(({ url }) => url === link.href) : undefined
      const range = source === undefined ? null : rangeIn(text, start_ix, end_ix)
      return source === undefined || range === null ? [] : [{ ...range, source }]
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** The upstream counts characters, a script counts UTF-16 units; whichever of the two meets a mark is meant. */
function rangeIn(text: string, start_ix: number, end_ix: number): { start: number; end: number } | null {
  if (!Number.isInteger(start_ix) || !Number.isInteger(end_ix) || start_ix < 0 || end_ix < start_ix) return null
  const units = { start: start_ix, end: end_ix }
  const characters = { start: unitsBefore(text, start_ix), end: unitsBefore(text, end_ix) }
  const range = MARK.test(text.slice(units.start, units.end)) ? units : characters
  return range.end > text.length ? null : range
}

function unitsBefore(text: string, characters: number): number {
  if (!/[\uD800-\uDBFF]/.test(text)) return characters
  let units = 0
  for (let count = 0; count < characters; count += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  return units
}

type CitedPage =
  | { title?: string | null | undefined; url?: string | null | undefined; text?: string | null | undefined }
  | null
  | undefined

/** An endpoint names its pages for the answer as a whole, the web service each where it is cited. */
function pagesOf(metadata: Message['metadata']): readonly CitedPage[] {
  return metadata?.source === 'openai_api'
    ? (metadata.sources ?? [])
    : citationsOf(metadata).map(({ metadata: page }) => page)
}

function citationsOf(metadata: Message['metadata']) {
  return metadata?.source === 'openai_web' ? (metadata.citations ?? []) : []
}
