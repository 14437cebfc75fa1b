import { type Message, textOf } from '#contract/messages.ts'
import { safeLink } from './markdown/blocks/safeUrl.ts'
import { apiMetadata, webMetadata } from './metadata.ts'

/**
 * A page that an answer cites, or a file of its question, which has no address. The same one has the same number
 * wherever it is cited.
 */
export type CitedSource = {
  number: number
  /** Further numbers that the text has for it. */
  also: readonly number[]
  title: string
  quote: string | null
} & ({ url: string; domain: string } | { url: null; domain: null })

/** A range of the text: the upstream's mark, which the chip replaces, or the cited words, which it follows. */
type Position = { start: number; end: number; source: CitedSource }

/** The upstream's mark for a source: 【6†source】. */
const MARK = /^\u3010[^\u3010\u3011]*\u2020[^\u3010\u3011]*\u3011$/

/** The sources of a message in the order of their numbers, without unsafe addresses. */
export function sourcesOf(message: Pick<Message, 'metadata'>): CitedSource[] {
  return [...numbered(message).values()]
}

/** The source that the text calls by this number. */
export const sourceOf = (sources: readonly CitedSource[], number: number): CitedSource | undefined =>
  sources.find(source => source.number === number || source.also.includes(number))

/** The sources by their keys, numbered as an endpoint has them, or in the order of their first citation. */
function numbered(message: Pick<Message, 'metadata'>): Map<string, CitedSource> {
  const sources = new Map<string, CitedSource>()
  for (const [at, page] of pagesOf(message).entries()) {
    const key = keyOf(page)
    if (key === null || sources.has(key)) continue
    const ofList = apiMetadata(message) !== null ? at + 1 : sources.size + 1
    const [number = ofList, ...also] = page?.numbers ?? []
    const quote = page?.text?.trim() || null
    const file = fileName(page)
    if (file !== null) sources.set(key, { number, also, url: null, domain: null, title: file, quote })
    else {
      const { host } = new URL(key)
      const title = page?.title?.trim() || host || key
      sources.set(key, { number, also, url: key, domain: host.replace(/^www\./, ''), title, quote })
    }
  }
  return sources
}

/** What identifies a source: its safe address, or the name of a file; null for what is no source. */
function keyOf(page: CitedPage): string | null {
  const link = safeLink(page?.url ?? '')
  return link?.kind === 'outside' ? link.href : fileName(page)
}

/** The name of a file that was sent with the question. */
function fileName(page: CitedPage): string | null {
  const name = page?.type === 'file' && !page.url && typeof page.name === 'string' ? page.name.trim() : ''
  return name === '' ? null : name
}

/** The text with what `write` gives for each citation. */
export function citedText(
  text: string,
  message: Pick<Message, 'metadata'>,
  write: (number: number, url: string | null) => string,
): string {
  let written = ''
  let from = 0
  for (const { start, end, source } of positionsIn(text, message)) {
    if (start < from) continue
    written += text.slice(from, MARK.test(text.slice(start, end)) ? start : end) + write(source.number, source.url)
    from = end
  }
  return written + text.slice(from)
}

/** An answer as Markdown: its texts without steps of tools, its sources as links. */
export function answerMarkdown(replies: readonly Message[]): string {
  return messagesToReader(replies)
    .map(reply =>
      citedText(textOf(reply), reply, (number, url) => (url === null ? ` [${number}]` : ` [${number}](${url})`)),
    )
    .join('\n\n')
}

/** Those of an answer that are for the reader, not for a tool. */
export const messagesToReader = (replies: readonly Message[]): readonly Message[] => replies.filter(isToReader)

function isToReader(message: Message): boolean {
  const { role, content } = message
  if (role !== 'assistant' || content === null) return false
  const recipient = webMetadata(message)?.recipient ?? 'all'
  return recipient === 'all' && (content.content_type === 'text' || content.content_type === 'multimodal_text')
}

function positionsIn(text: string, message: Pick<Message, 'metadata'>): Position[] {
  const sources = numbered(message)
  if (sources.size === 0) return []
  return citationsOf(message)
    .flatMap(({ start_ix, end_ix, metadata }): Position[] => {
      const source = sources.get(keyOf(metadata) ?? '')
      const range = source === undefined ? null : rangeIn(text, start_ix, end_ix)
      return source === undefined || range === null ? [] : [{ ...range, source }]
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * Upstreams count characters, JavaScript counts UTF-16 units. Some count units too: where the units meet a mark, they
 * are taken.
 */
function rangeIn(text: string, start_ix: number, end_ix: number): { start: number; end: number } | null {
  if (!Number.isInteger(start_ix) || !Number.isInteger(end_ix) || start_ix < 0 || end_ix < start_ix) return null
  const range = MARK.test(text.slice(start_ix, end_ix))
    ? { start: start_ix, end: end_ix }
    : { start: unitsBefore(text, start_ix), end: unitsBefore(text, end_ix) }
  return range.end > text.length ? null : range
}

function unitsBefore(text: string, characters: number): number {
  if (!/[\uD800-\uDBFF]/.test(text)) return characters
  let units = 0
  for (let count = 0; count < characters; count += 1) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  return units
}

type CitedPage =
  | {
      title?: string | null | undefined
      url?: string | null | undefined
      text?: string | null | undefined
      numbers?: readonly number[] | undefined
      /** As the web service calls them. */
      type?: unknown
      name?: unknown
    }
  | null
  | undefined

/** An endpoint lists the pages of the whole answer; the web service names one with each citation. */
function pagesOf(message: Pick<Message, 'metadata'>): readonly CitedPage[] {
  const endpoint = apiMetadata(message)
  return endpoint === null ? citationsOf(message).map(({ metadata: page }) => page) : (endpoint.sources ?? [])
}

const citationsOf = (message: Pick<Message, 'metadata'>) => webMetadata(message)?.citations ?? []
