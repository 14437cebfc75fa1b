import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { app as zhCN } from '#web/i18n/zh-CN/app.ts'

export const app: TextsOf<typeof zhCN> = {
  'app.name': 'Chat Commons',
  'app.name.short': 'Commons',
  'app.skip': 'Terus ke kandungan',
  'app.repository': 'Repositori kod sumber',
  'app.theme.toDark': 'Tukar kepada gelap',
  'app.theme.toLight': 'Tukar kepada cerah',
  'app.area': 'Bahagian',
  'app.area.chat': 'Sembang',
  'app.area.admin': 'Pentadbiran',
  'app.notLoggedIn': 'Belum log masuk',
  'app.language': 'Bahasa',
  'home.title': 'Satu meja panjang, beberapa lampu',
  'home.text':
    'Satu akaun yang dikongsi bersama. Siapa yang sedang menggunakannya dan berapa yang tinggal, semuanya jelas.',
  'home.toLogin': 'Log masuk',
  'home.toConversation': 'Pergi ke perbualan',
  'error.403.title': 'Pintu ini tidak dibuka untuk anda',
  'error.403.text': 'Hanya pentadbir boleh melihat halaman ini (403).',
  'error.404.title': 'Belum ada yang duduk di sini',
  'error.404.text': 'Alamat ini tidak wujud. Mungkin tersalah taip atau telah berpindah (404).',
  'error.away.title': 'Pelayan tidak menjawab',
  'error.away.text':
    'Mungkin sedang dimulakan semula, atau rangkaian terputus. Muat semula sebentar lagi; anda kekal log masuk.',
  'error.crash.title': 'Ada masalah pada halaman ini',
  'error.crash.text': 'Halaman tidak dapat dipaparkan. Memuat semula biasanya membantu; draf anda masih ada.',
  'error.crash.reload': 'Muat semula',
  'app.unloaded':
    'Halaman ini tidak dapat dimuatkan. Muat semula sebentar lagi. Jika ia disediakan di bawah satu laluan, seperti https://example.org/chat/: Chat Commons tidak menyokongnya. Ia memerlukan nama hos atau port tersendiri.',
  'error.home': 'Kembali ke laman utama',
  'title.home': 'Laman utama',
  'title.login': 'Log masuk',
  'title.conversation': 'Perbualan',
  'title.history': 'Rekod perbualan',
  'title.403': 'Akses ditolak',
  'title.404': 'Tidak dijumpai',
}
