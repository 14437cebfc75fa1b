import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { readingText } from '#web/i18n/reading.ts'
import { PARTIAL_REASONS, type ReadingRefusal, type ReadingValues } from './reading.ts'

/** Each refusal with the values that it comes with; the compiler misses none. */
const REFUSALS: Record<ReadingRefusal, ReadingValues> = {
  tookTooLong: {},
  tooManyPages: { most: 2_000 },
  tooManyCells: { most: 500_000 },
  tooMuchText: { most: 10_000_000 },
  unpacksTooLarge: { most: 1 },
  broken: {},
  empty: {},
  tooLarge: { most: 100 },
  needsPassword: {},
  wrongPassword: {},
  encrypted: {},
  oldOffice: {},
  notTaken: {},
  cannotDecode: { type: 'image/tiff' },
  cannotDecodeHeic: { type: 'image/heic' },
  tooManyPixels: { width: 30_000, height: 30_000, most: 51 },
  tooManyFrames: { count: 2_000, most: 500 },
  failed: {},
}

describe.each(LANGUAGES)('what is said in %s', language => {
  test.each(Object.keys(REFUSALS) as ReadingRefusal[])('of a file that is not read has all its values: %s', reason => {
    expect(readingText(language, `no.${reason}`, REFUSALS[reason])).toMatch(/^[^{}]{4,}$/)
  })
  test.each(PARTIAL_REASONS)('of one that is read in part is a text: %s', reason => {
    expect(readingText(language, `partial.${reason}`)).toMatch(/^[^{}]{4,}$/)
  })
})
