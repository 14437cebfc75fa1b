import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { conversations as zhCN } from '#web/i18n/zh-CN/admin/conversations.ts'

export const conversations: TextsOf<typeof zhCN> = {}
