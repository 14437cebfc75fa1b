import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { users as zhCN } from '#web/i18n/zh-CN/admin/users.ts'

export const users: TextsOf<typeof zhCN> = {}
