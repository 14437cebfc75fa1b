import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { logs as zhCN } from '#web/i18n/zh-CN/admin/logs.ts'

export const logs: TextsOf<typeof zhCN> = {}
