import * as z from 'zod/mini'
import { LogLevel, LogName } from '#contract/logFiles.ts'
import { useListAddress } from '#web/admin/table/useListAddress.ts'

export const TABS = ['completions', 'server', 'proxy'] as const
export const LINE_COUNTS = ['100', '500', '2000', '5000'] as const
/** The specification, section 9. */
export const USUAL_LINES = '100'

/** The entries of the page's address besides those of the list of asks. */
const LogAddress = z.object({
  tab: z.optional(z.enum(TABS)),
  process: z.optional(LogName),
  level: z.optional(LogLevel),
  /** Comma-separated words; a single hyphen for none. */
  without: z.optional(z.string().check(z.maxLength(2_000))),
  lines: z.optional(z.enum(LINE_COUNTS)),
  /** `lit`: the request whose lines are highlighted; `request`: the only one whose lines are shown. */
  lit: z.optional(z.string().check(z.maxLength(64))),
  only: z.optional(z.string().check(z.maxLength(64))),
})

export type LogAddress = ReturnType<typeof useLogAddress>

export function useLogAddress() {
  return useListAddress(LogAddress)
}

/** Left out by default: requests that the page itself makes all the time. */
const USUALLY_LEFT_OUT = ['/status', '/logs']
const NONE = '-'
const MAX_WORDS = 20
const MAX_WORD = 60

export function wordsIn(without: string | undefined): string[] {
  if (without === undefined) return USUALLY_LEFT_OUT
  const words = without.split(',').map(word => word.trim().slice(0, MAX_WORD))
  return [...new Set(words)].filter(word => word !== '' && word !== NONE).slice(0, MAX_WORDS)
}

export const wordsText = (words: readonly string[]): string => (words.length === 0 ? NONE : words.join(','))
