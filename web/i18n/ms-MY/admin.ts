import type { AdminTexts } from '#web/i18n/dictionary.ts'
import { accountSharing } from './admin/accountSharing.ts'
import { configuration } from './admin/configuration.ts'
import { conversations } from './admin/conversations.ts'
import { administratorErrors } from './admin/errors.ts'
import { logs } from './admin/logs.ts'
import { plans } from './admin/plans.ts'
import { prompts } from './admin/prompts.ts'
import { settingNames } from './admin/settingNames.ts'
import { system } from './admin/system.ts'
import { upstreams } from './admin/upstreams.ts'
import { usage } from './admin/usage.ts'
import { users } from './admin/users.ts'

export const admin: AdminTexts = {
  ...system,
  ...users,
  ...usage,
  ...conversations,
  ...logs,
  ...upstreams,
  ...accountSharing,
  ...configuration,
  ...plans,
  ...prompts,
  ...administratorErrors,
  ...settingNames,
  // The frame of the area, and what its pages share.
  'admin.menu': 'Menu pentadbiran',
  'admin.openMenu': 'Buka menu pentadbiran',
  'admin.closeMenu': 'Tutup menu pentadbiran',
  'admin.system': 'Ringkasan',
  'admin.user': 'Pengguna',
  'admin.plan': 'Pelan',
  'admin.conversation': 'Perbualan',
  'admin.log': 'Log',
  'admin.openai_settings': 'Akaun dan pemalam',
  'admin.prompts': 'Arahan dan gesaan',
  'admin.config': 'Tetapan',
  'admin.api': 'Semak imbas API',
  'table.loading': 'Sedang dimuatkan',
  'table.failed': 'Tidak dapat dibaca',
  'table.behindLast': 'Halaman ini sudah kosong',
  'table.firstPage': 'Ke halaman pertama',
  'table.noneLikeThis': 'Tiada yang sepadan dengan penapis ini',
  'table.noneWithWords': 'Tiada hasil untuk “{words}”',
  'table.showAll': 'Kosongkan penapis, tunjukkan semua',
  'table.selectPage': 'Pilih halaman ini',
  'table.selectRow': 'Pilih baris ini',
  'table.clearSearch': 'Kosongkan carian',
  'table.filterIs': '{label}: {value}',
  'table.clearFilter': 'Berhenti menapis mengikut {label}',
  'table.pages': 'Halaman',
  'table.range': '{first}–{last} / {total}',
  'table.size': '{count} sehalaman',
  'table.page': 'Halaman {number}',
  'table.previousPage': 'Halaman sebelumnya',
  'table.nextPage': 'Halaman seterusnya',
  'table.bulk': 'Ubah banyak sekali gus',
  'table.begins': 'Menunggu untuk bermula',
  'table.stop': 'Berhenti di sini',
  'table.stopping': 'Sedang berhenti',
  'table.goOn': 'Teruskan baki {count}',
  'table.clearSelection': 'Kosongkan pilihan',
  'table.closeSum': 'Tutup',
  'drawer.close': 'Tutup',
  'drawer.changes': '{count} perubahan',
  'drawer.unchanged': 'Tiada perubahan',
  'drawer.wrong': '{count} perlu dibetulkan dahulu',
  'admin.conflicts': '{count} turut diubah orang lain',
  'drawer.discard': 'Buang',
  'drawer.save': 'Simpan',
  'drawer.leave': 'Buang {count} perubahan?',
  'drawer.leaveText': 'Belum ada yang disimpan.',
  'drawer.leaveVerb': 'Buang perubahan',
  'drawer.stay': 'Kekal di sini',
  'drawer.conflict': 'Seseorang baru mengubah perkara yang sama',
  'drawer.conflictText': 'Belum ada yang disimpan. Pilih satu bagi setiap satu, kemudian simpan.',
  'drawer.mine': 'Anda',
  'drawer.theirs': 'Sekarang',
  'drawer.take.mine': 'Guna yang saya',
  'drawer.take.theirs': 'Guna yang sekarang',
  'drawer.date': 'Tarikh',
  'admin.jobGoesOn': 'sedang berjalan',
  'admin.up.days': 'Berjalan {days} hari {hours} jam',
  'admin.up.hours': 'Berjalan {hours} jam {minutes} minit',
  'admin.up.minutes': 'Berjalan {minutes} minit',
  'admin.zone': 'Zon waktu {zone}',
  'range.label': 'Julat masa',
  'range.24h': '24 jam',
  'range.7d': '7 hari',
  'range.30d': '30 hari',
  'range.own': 'Tarikh',
  'range.from': 'Dari',
  'range.to': 'Hingga',
  'range.wrong': 'Masa tamat mesti selepas masa mula',
  'range.show': 'Tunjukkan',
  'plots.others': 'Lain-lain',
  'plots.reset': 'Kembali ke seluruh tempoh',
  'plots.picture': 'Muat turun gambar',
  'plots.table': 'Tunjukkan sebagai jadual',
  'plots.empty': 'Tiada apa-apa dalam tempoh ini',
  'plots.legend': 'Petunjuk',
  'plots.time': 'Masa',
  'plots.whole': 'Seluruh tempoh',

  // In place of `expired.text` while a form of this area has changes.
  'expired.changes':
    '{count} perubahan di halaman ini belum disimpan. Log masuk di tab baharu, kemudian kembali ke sini dan simpan.',
  'expired.newTab': 'Log masuk di tab baharu',
  // In place of the texts for everybody, which tell them to ask an administrator: what that one can do.
  'errors.openai.400':
    'Penyedia tidak menerima permintaan ini (400). Kod sebabnya ada di “Log”; uji akaun ini di “Akaun dan pemalam”',
  'errors.openai.401':
    'Penyedia tidak menerima akaun atau kunci yang digunakan di sini (401). Masukkan yang lain di “Akaun dan pemalam”',
  'errors.openai.403':
    'Penyedia menolak akses (403). Uji akaun ini di “Akaun dan pemalam”, dan lihat model yang boleh digunakannya',
  'errors.openai.404':
    'Penyedia tidak mempunyai model atau alamat ini (404). Semak alamat dan model akaun ini di “Akaun dan pemalam”',
  'errors.openai.429':
    'Had di pihak penyedia telah dilebihi (429). Cuba lagi kemudian, atau tambah akaun lain di “Akaun dan pemalam”',
  'errors.openai.429.detailed':
    'Had di pihak penyedia telah dilebihi (429). Cuba lagi dalam {retry_after_seconds}, atau tambah akaun lain di “Akaun dan pemalam”',
  'errors.openai.500':
    'Ralat di pihak penyedia (500). Cuba lagi kemudian; jika berterusan, uji akaun ini di “Akaun dan pemalam”',
  'errors.openai.500.detailed':
    'Ralat di pihak penyedia ({status}). Cuba lagi kemudian; jika berterusan, uji akaun ini di “Akaun dan pemalam”',
  'errors.openai.unknown':
    'Penyedia memberi jawapan yang tidak dijangka. Semak alamat akaun ini di “Akaun dan pemalam”, dan ujinya',
  'errors.openai.unknown.detailed':
    'Penyedia memberi jawapan yang tidak dijangka ({status}). Semak alamat akaun ini di “Akaun dan pemalam”, dan ujinya',
  'errors.openai.quota':
    'Baki atau kuota di pihak penyedia sudah habis. Tambah nilai di sana, atau tambah akaun lain di “Akaun dan pemalam”',
  'errors.openai.accountDeactivated':
    'Akaun atau ruang kerja di pihak penyedia telah dinyahaktifkan. Masukkan akaun atau kunci lain di “Akaun dan pemalam”',
  'errors.openai.unusualActivity':
    'Penyedia mengesan aktiviti luar biasa dan menolak akaun atau pelayan ini buat masa ini. Cuba lagi kemudian, atau beri akaun ini proksi lain di “Akaun dan pemalam”',
  'errors.openai.webPage':
    'Penyedia menghantar halaman web dan bukan jawapan: semakan manusia, atau alamatnya salah. Semak alamat dan proksi akaun ini di “Akaun dan pemalam”, dan ujinya',
  'errors.openai.modelNotFound':
    'Penyedia tidak mempunyai model ini. Pilih model lain, atau ubah model akaun ini di “Akaun dan pemalam”',
  'errors.userNotAllowToUseChatType':
    'Akaun anda belum dibenarkan menggunakan sumber ini. Anda boleh membenarkannya di “Pengguna”',
  'errors.userChatTypeExpired':
    'Tempoh akaun anda untuk sumber ini telah tamat. Anda boleh melanjutkannya di “Pengguna”',
  'errors.userNotAllowToUseModel':
    'Akaun anda belum dibenarkan menggunakan model ini. Anda boleh membenarkannya di “Pengguna”',
  'errors.userNotAllowToUsePaidModel':
    'Akaun anda belum dibenarkan menggunakan model berbayar. Anda boleh membenarkannya di “Pengguna”',
  'errors.userNotAllowToUseGPT4Model':
    'Akaun anda belum dibenarkan menggunakan GPT-4. Anda boleh membenarkannya di “Pengguna”',
  'errors.diskFull':
    'Cakera pelayan penuh, jadi tiada apa-apa boleh disimpan buat masa ini. Kosongkan ruang pada cakera folder data; semuanya kemudian pulih sendiri',
  'errors.diskNotWritable':
    'Cakera pelayan tidak boleh ditulis, jadi tiada apa-apa boleh disimpan buat masa ini. Benarkan portal menulis ke folder datanya; semuanya kemudian pulih sendiri',
  'errors.databaseUnreachable':
    'Pelayan tidak dapat mencapai pangkalan datanya buat masa ini. Pastikan PostgreSQL berjalan dan boleh dicapai; semuanya kemudian pulih sendiri tanpa dimulakan semula',
  'composer.noFilesForYou': 'Akaun anda belum boleh memuat naik fail. Anda boleh membenarkannya di “Pengguna”',
  'newConversation.sourceNotAllowed': 'Belum dibuka untuk akaun anda. Anda boleh membukanya di “Pengguna”',
  'newConversation.sourceDisabled': 'Tidak diaktifkan. Anda boleh mengaktifkannya di “Tetapan”',
  'newConversation.sourceExpired': 'Tempoh akses akaun anda telah tamat. Anda boleh melanjutkannya di “Pengguna”',
  'newConversation.noModels':
    'Sumber ini tiada model untuk akaun anda. Lihat modelnya di “Akaun dan pemalam” dan “Pengguna”',
  'newConversation.noSources': 'Belum ada sumber yang dibuka untuk akaun anda. Anda boleh membukanya di “Pengguna”',
  'limit.renew': 'Perbualan lama masih boleh dibaca. Anda boleh melanjutkan akses anda di “Pengguna”.',
  'limit.more': 'Anda boleh menambah had di “Pengguna”.',
  'limit.contact': 'Anda boleh mengubahnya di “Pengguna”.',
  'profile.note': 'Had ditetapkan di “Pengguna”. Had anda sendiri juga boleh diubah di sana.',
}
