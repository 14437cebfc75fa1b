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
      account: () => import('./zh-CN/account.ts').then(module => module.account),
      attachments: () => import('./zh-CN/attachments.ts').then(module => module.attachments),
      instructions: () => import('./zh-CN/instructions.ts').then(module => module.instructions),
      keeping: () => import('./zh-CN/keeping.ts').then(module => module.keeping),
      keys: () => import('./zh-CN/keys.ts').then(module => module.keys),
      invitation: () => import('./zh-CN/invitation.ts').then(module => module.invitation),
      signIn: () => import('./zh-CN/signIn.ts').then(module => module.signIn),
      transfer: () => import('./zh-CN/transfer.ts').then(module => module.transfer),
      shares: () => import('./zh-CN/shares.ts').then(module => module.shares),
      gifts: () => import('./zh-CN/gifts.ts').then(module => module.gifts),
      quiet: () => import('./zh-CN/quiet.ts').then(module => module.quiet),
      usage: () => import('./zh-CN/usage.ts').then(module => module.usage),
      audit: () => import('./zh-CN/audit.ts').then(module => module.audit),
      lending: () => import('./zh-CN/lending.ts').then(module => module.lending),
      notices: () => import('./zh-CN/notices.ts').then(module => module.notices),
      oversight: () => import('./zh-CN/oversight.ts').then(module => module.oversight),
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
      account: () => import('./en-US/account.ts').then(module => module.account),
      attachments: () => import('./en-US/attachments.ts').then(module => module.attachments),
      instructions: () => import('./en-US/instructions.ts').then(module => module.instructions),
      keeping: () => import('./en-US/keeping.ts').then(module => module.keeping),
      keys: () => import('./en-US/keys.ts').then(module => module.keys),
      invitation: () => import('./en-US/invitation.ts').then(module => module.invitation),
      signIn: () => import('./en-US/signIn.ts').then(module => module.signIn),
      transfer: () => import('./en-US/transfer.ts').then(module => module.transfer),
      shares: () => import('./en-US/shares.ts').then(module => module.shares),
      gifts: () => import('./en-US/gifts.ts').then(module => module.gifts),
      quiet: () => import('./en-US/quiet.ts').then(module => module.quiet),
      usage: () => import('./en-US/usage.ts').then(module => module.usage),
      audit: () => import('./en-US/audit.ts').then(module => module.audit),
      lending: () => import('./en-US/lending.ts').then(module => module.lending),
      notices: () => import('./en-US/notices.ts').then(module => module.notices),
      oversight: () => import('./en-US/oversight.ts').then(module => module.oversight),
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
      account: () => import('./ms-MY/account.ts').then(module => module.account),
      attachments: () => import('./ms-MY/attachments.ts').then(module => module.attachments),
      instructions: () => import('./ms-MY/instructions.ts').then(module => module.instructions),
      keeping: () => import('./ms-MY/keeping.ts').then(module => module.keeping),
      keys: () => import('./ms-MY/keys.ts').then(module => module.keys),
      invitation: () => import('./ms-MY/invitation.ts').then(module => module.invitation),
      signIn: () => import('./ms-MY/signIn.ts').then(module => module.signIn),
      transfer: () => import('./ms-MY/transfer.ts').then(module => module.transfer),
      shares: () => import('./ms-MY/shares.ts').then(module => module.shares),
      gifts: () => import('./ms-MY/gifts.ts').then(module => module.gifts),
      quiet: () => import('./ms-MY/quiet.ts').then(module => module.quiet),
      usage: () => import('./ms-MY/usage.ts').then(module => module.usage),
      audit: () => import('./ms-MY/audit.ts').then(module => module.audit),
      lending: () => import('./ms-MY/lending.ts').then(module => module.lending),
      notices: () => import('./ms-MY/notices.ts').then(module => module.notices),
      oversight: () => import('./ms-MY/oversight.ts').then(module => module.oversight),
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
