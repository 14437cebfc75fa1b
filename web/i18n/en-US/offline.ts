import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { offline as zhCN } from '#web/i18n/zh-CN/offline.ts'

export const offline: TextsOf<typeof zhCN> = {
  away: 'The server does not answer',
  awayText:
    'It may be restarting, or out of reach. This page comes back by itself when it answers; you stay signed in and your drafts are kept.',
  offline: 'You are offline',
  offlineText: 'This page comes back by itself when the network does; you stay signed in and your drafts are kept.',
  again: 'Try now',
}
