import type { Language } from '#contract/preferences.ts'

type DateTexts = { date: string; month: string; months: { short: readonly string[]; long: readonly string[] } }

const NUMBERS = Array.from({ length: 12 }, (_, month) => String(month + 1))

/** How a date and a month are written; in words of our own for the reason of SPAN_TEXTS. */
export const DATE_TEXTS: Record<Language, DateTexts> = {
  'zh-CN': { date: '{year}年{month}月{day}日', month: '{year}年{month}月', months: { short: NUMBERS, long: NUMBERS } },
  'en-US': {
    date: '{month} {day}, {year}',
    month: '{month} {year}',
    months: {
      short: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
      long: 'January February March April May June July August September October November December'.split(' '),
    },
  },
  'ms-MY': {
    date: '{day} {month} {year}',
    month: '{month} {year}',
    months: {
      short: 'Jan Feb Mac Apr Mei Jun Jul Ogo Sep Okt Nov Dis'.split(' '),
      long: 'Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember'.split(' '),
    },
  },
}
