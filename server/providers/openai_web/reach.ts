import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import { withoutMarks } from '#contract/messageForms/marks.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type ProviderEndpoint, keyHeaders } from '../endpoint.ts'
import type { DeadlineSettings } from '../upstreamRefusal.ts'

const COMMON = 'openai_web.common_timeout'
/** The setting that the deadlines of all but an answer come from; that a file stalls is nobody's setting. */
export const COMMON_SETTINGS: DeadlineSettings = { connect: COMMON, first_byte: COMMON, idle: COMMON, total: COMMON }

/** Seconds, where the endpoint does not say. */
const COMMON_TIMEOUT = 20

/** Milliseconds that an ordinary request may take. */
export const commonTimeout = ({ web }: ProviderEndpoint): number => (web?.common_timeout ?? COMMON_TIMEOUT) * 1000

/**
 * The address of a request to a web account; the base's query stays, with what else is asked for. Refuses where no base
 * is known.
 */
export function webAddress(base_url: string, path: string, query: Record<string, string | number> = {}): string {
  const url = URL.parse(base_url.trim())
  if (url === null) throw new Refusal('httpError')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  url.hash = ''
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return url.href
}

/** What each request to a web account says: who asks, in whose name, and that it comes from the site's own page. */
export function webHeaders(endpoint: ProviderEndpoint): Record<string, string> {
  const team_account_id = endpoint.web?.team_account_id ?? null
  return {
    'content-type': 'application/json',
    'accept-language': 'en-US',
    referer: new URL('/', webAddress(endpoint.base_url, '')).href,
    ...keyHeaders(endpoint),
    ...(team_account_id !== null && { 'chatgpt-account-id': team_account_id }),
  }
}

/** A title that fits where titles are shown and stored; null where there is none. */
export function titleIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const plain = storableText(withoutMarks(value.slice(0, 4 * MAX_TITLE_LENGTH).replaceAll('\0', '')))
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
  return beginningOf(plain, MAX_TITLE_LENGTH).trim() || null
}

/** A text of at most so many characters; null for anything else than text. */
export const textIn = (value: unknown, most: number): string | null =>
  typeof value === 'string' ? beginningOf(storableText(value), most) : null

/**
 * Epoch milliseconds of a time in epoch seconds or ISO 8601, as upstreams write either; null for what is no time of
 * ours.
 */
export function timeIn(value: unknown): number | null {
  const time =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(inUtc(value)) : Number.NaN
  return Number.isFinite(time) && time >= 0 && time < LAST_TIME ? Math.round(time) : null
}

/** The end of the year 9999. */
const LAST_TIME = 253_402_300_800_000

/** A time without a zone is one of UTC. */
const inUtc = (text: string): string => (/T[\d:.]+$/.test(text) ? `${text}Z` : text)
