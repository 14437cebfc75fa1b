import type { Language } from '#contract/preferences.ts'
import type { Messages } from './dictionary.ts'
import { zhCN } from './zh-CN.ts'

type LanguageEntry = {
  /** In its own words, so that anybody finds the way back. */
  name: string
  load(): Promise<Messages>
}

/** A language is one line here and a folder of texts; the compiler then lists what is missing. */
export const LANGUAGE_ENTRIES: Record<Language, LanguageEntry> = {
  'zh-CN': { name: '中文', load: () => Promise.resolve(zhCN) },
  'en-US': { name: 'English', load: () => import('./en-US.ts').then(module => module.enUS) },
  'ms-MY': { name: 'Bahasa Melayu', load: () => import('./ms-MY.ts').then(module => module.msMY) },
}
