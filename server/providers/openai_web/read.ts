import { beginningOf } from '#contract/cutText.ts'
import { MAX_TITLE_LENGTH } from '#contract/conversations.ts'
import { storableText } from '#contract/storableText.ts'
import { withoutMarks } from '#contract/webMessages/marks.ts'

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

/** Epoch milliseconds of a time in epoch seconds or ISO 8601, as upstreams write either; null for what is no time of ours. */
export function timeIn(value: unknown): number | null {
  const time =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(inUtc(value)) : Number.NaN
  return Number.isFinite(time) && time >= 0 && time < LAST_TIME ? Math.round(time) : null
}

/** The end of the year 9999. */
const LAST_TIME = 253_402_300_800_000

/** A time without a zone is one of UTC. */
const inUtc = (text: string): string => (/T[\d:.]+$/.test(text) ? `${text}Z` : text)
