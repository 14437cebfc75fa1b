import type { Language } from '#contract/preferences.ts'
import type { AreaTexts, FirstTexts } from './dictionary.ts'
import { zhCN } from './zh-CN.ts'

export type SpanUnit = 'day' | 'hour' | 'minute' | 'second'

type LanguageEntry = {
  /** In the language itself, so that anybody finds it. */
  name: string
  load(): Promise<FirstTexts>
  areas: { [Area in keyof AreaTexts]: () => Promise<AreaTexts[Area]> }
  // The first screen has dates and spans of time. Texts of ours, because the first Intl format of a kind takes 100 ms
  // on a slow device.
  date: string
  month: string
  months: { short: readonly string[]; long: readonly string[] }
  spans: Record<SpanUnit, string>
}

const NUMBERS = Array.from({ length: 12 }, (_, month) => String(month + 1))

/** To add a language: an entry here and a folder of texts; the compiler lists what is missing. */
export const LANGUAGE_ENTRIES: Record<Language, LanguageEntry> = {
  'zh-CN': {
    name: '中文',
    load: () => Promise.resolve(zhCN),
    areas: {
      attachments: () => import('./zh-CN/attachments.ts').then(module => module.attachments),
      instructions: () => import('./zh-CN/instructions.ts').then(module => module.instructions),
      admin: () => import('./zh-CN/admin.ts').then(module => module.admin),
    },
    date: '{year}年{month}月{day}日',
    month: '{year}年{month}月',
    months: { short: NUMBERS, long: NUMBERS },
    spans: { day: '{count}天', hour: '{count}小时', minute: '{count}分钟', second: '{count}秒' },
  },
  'en-US': {
    name: 'English',
    load: () => import('./en-US.ts').then(module => module.enUS),
    areas: {
      attachments: () => import('./en-US/attachments.ts').then(module => module.attachments),
      instructions: () => import('./en-US/instructions.ts').then(module => module.instructions),
      admin: () => import('./en-US/admin.ts').then(module => module.admin),
    },
    date: '{month} {day}, {year}',
    month: '{month} {year}',
    months: {
      short: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
      long: 'January February March April May June July August September October November December'.split(' '),
    },
    spans: {
      day: '{count} {count|day|days}',
      hour: '{count} {count|hour|hours}',
      minute: '{count} {count|minute|minutes}',
      second: '{count} {count|second|seconds}',
    },
  },
  'ms-MY': {
    name: 'Bahasa Melayu',
    load: () => import('./ms-MY.ts').then(module => module.msMY),
    areas: {
      attachments: () => import('./ms-MY/attachments.ts').then(module => module.attachments),
      instructions: () => import('./ms-MY/instructions.ts').then(module => module.instructions),
      admin: () => import('./ms-MY/admin.ts').then(module => module.admin),
    },
    date: '{day} {month} {year}',
    month: '{month} {year}',
    months: {
      short: 'Jan Feb Mac Apr Mei Jun Jul Ogo Sep Okt Nov Dis'.split(' '),
      long: 'Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember'.split(' '),
    },
    spans: { day: '{count} hari', hour: '{count} jam', minute: '{count} minit', second: '{count} saat' },
  },
}
