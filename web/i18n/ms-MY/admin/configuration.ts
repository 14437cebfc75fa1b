import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { configuration as zhCN } from '#web/i18n/zh-CN/admin/configuration.ts'

export const configuration: TextsOf<typeof zhCN> = {}
