import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { upstreams as zhCN } from '#web/i18n/zh-CN/admin/upstreams.ts'

export const upstreams: TextsOf<typeof zhCN> = {}
