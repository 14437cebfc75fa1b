import type { Language } from '#contract/preferences.ts'

export type OfflineTexts = Record<'away' | 'awayText' | 'offline' | 'offlineText' | 'again', string>

/**
 * Of the page that the service worker shows when nothing can be fetched: in all languages, and apart from their other
 * texts.
 */
export const OFFLINE_TEXTS: Record<Language, OfflineTexts> = {
  'zh-CN': {
    away: '服务器没有应答',
    awayText: '可能正在重启，或者连不到它。它应答之后这一页会自己回来，登录和草稿都还在。',
    offline: '没有网络',
    offlineText: '连上之后这一页会自己回来，登录和草稿都还在。',
    again: '现在重试',
  },
  'en-US': {
    away: 'The server does not answer',
    awayText:
      'It may be restarting, or out of reach. This page comes back by itself when it answers; you stay signed in and your drafts are kept.',
    offline: 'You are offline',
    offlineText: 'This page comes back by itself when the network does; you stay signed in and your drafts are kept.',
    again: 'Try now',
  },
  'ms-MY': {
    away: 'Pelayan tidak menjawab',
    awayText:
      'Ia mungkin sedang dimulakan semula, atau tidak dapat dicapai. Halaman ini kembali sendiri apabila ia menjawab; anda kekal log masuk dan draf anda disimpan.',
    offline: 'Anda di luar talian',
    offlineText: 'Halaman ini kembali sendiri apabila rangkaian pulih; anda kekal log masuk dan draf anda disimpan.',
    again: 'Cuba sekarang',
  },
}
