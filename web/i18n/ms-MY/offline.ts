import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { offline as zhCN } from '#web/i18n/zh-CN/offline.ts'

export const offline: TextsOf<typeof zhCN> = {
  away: 'Pelayan tidak menjawab',
  awayText:
    'Ia mungkin sedang dimulakan semula, atau tidak dapat dicapai. Halaman ini kembali sendiri apabila ia menjawab; anda kekal log masuk dan draf anda disimpan.',
  offline: 'Anda di luar talian',
  offlineText: 'Halaman ini kembali sendiri apabila rangkaian pulih; anda kekal log masuk dan draf anda disimpan.',
  again: 'Cuba sekarang',
}
