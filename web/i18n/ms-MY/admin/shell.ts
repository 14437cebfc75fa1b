import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { shell as zhCN } from '#web/i18n/zh-CN/admin/shell.ts'

export const shell: TextsOf<typeof zhCN> = {
  'admin.menu': 'Menu pentadbiran',
  'admin.openMenu': 'Buka menu pentadbiran',
  'admin.closeMenu': 'Tutup menu pentadbiran',
  'admin.system': 'Ringkasan',
  'admin.user': 'Pengguna',
  'admin.conversation': 'Perbualan',
  'admin.log': 'Log',
  'admin.openai_settings': 'Akaun dan pemalam',
  'admin.config': 'Konfigurasi',
  'admin.api': 'Semak imbas API',
  'planned.today': 'Yang boleh dilakukan sekarang',
  'planned.call': 'Panggil API',
  'planned.command': 'Jalankan pada pelayan',
  'planned.user':
    'Semua pengguna akan disenaraikan di sini, dengan hak, bilangan, slot masa dan tempoh sah yang boleh diubah.',
  'planned.conversation':
    'Perbualan semua orang akan disenaraikan di sini untuk diserahkan, disembunyikan atau dipadam terus.',
  'planned.log': 'Log pelayan dan rekod soalan akan dipaparkan di sini.',
  'planned.openai_settings': 'Pemalam akaun kongsi akan diurus di sini: pasang, nyahpasang, aktifkan dan matikan.',
  'planned.config': 'Semua tetapan dan rahsia akan diubah di sini, berserta asal setiap nilai.',
}
