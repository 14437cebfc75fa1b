import type { administratorErrors as zhCN } from '../../zh-CN/admin/errors.ts'
import type { TextsOf } from '../../dictionary.ts'

export const administratorErrors: TextsOf<typeof zhCN> = {
  'errors.planNotFound': 'Pelan ini tidak dijumpai. Mungkin ia telah dibuang',
  'errors.planIsDefault': 'Pelan lalai tidak boleh dibuang atau dialihkan',
  'errors.planInCircle': 'Pelan tidak boleh mewarisi dirinya sendiri: pilih pelan lain di atasnya',
  'errors.planInUse':
    '{people} orang berada dalam pelan ini, {plans} pelan di bawahnya dan {invitations} jemputan: nyatakan dahulu ke mana mereka dialihkan',
  'errors.tooManyPlans': 'Paling banyak {most} pelan',
  'errors.currencyFixed': 'Sudah ada perbelanjaan dalam mata wang sekarang, jadi ia tidak boleh diubah',
  'errors.userOnHold': 'Pentadbir menyimpan semua kandungan orang ini buat masa ini: tiada apa yang boleh dibuang',
  'errors.holdNeedsReason': 'Nyatakan sebab semuanya perlu disimpan',
  'errors.lastSuperuser':
    'Ini pentadbir terakhir; akaun ini tidak boleh dipadam, dinyahaktifkan atau diturunkan peranannya',
  'errors.noUserSelected': 'Tiada pengguna dipilih',
  'errors.tooManyProviders': 'Paling banyak {most} cara log masuk boleh ditambah',
  'errors.tooManyInvitations': 'Paling banyak {most} jemputan boleh terbuka; batalkan beberapa dahulu',
  'errors.upstreamIsFirst':
    'Akaun pertama setiap sumber ialah yang ada dalam tetapan: ubah di sana, dan ia tidak boleh dibuang',
  'errors.configurationWrong': 'Konfigurasi mengandungi nilai yang tidak sah',
  'errors.configurationConflict':
    'Seseorang telah menukar tetapan ini sejak anda membukanya: {settings}. Muat semula halaman dan ubah sekali lagi',
  'errors.configurationConflict.detailed':
    'Sejak anda membuka konfigurasi, {people} telah mengubah tetapan ini: {settings}. Muat semula, kemudian ubah',
  'errors.jobNotKept':
    'Rekod perubahan ini tiada lagi: sudah terlalu lama, atau seseorang di dalamnya telah dipadamkan',
  'errors.nothingLeftToDo': 'Tiada lagi yang tinggal dalam perubahan ini',
  'errors.jobNotFound': 'Tugas itu tiada, atau tidak boleh dimulakan secara manual',
  'errors.sameJobRuns': 'Perubahan lain yang sejenis sedang berjalan atau menunggu. Teruskan selepas ia tamat',
  'errors.notUndoable': 'Ini tidak boleh dibatalkan',
  'errors.oversightReasonRequired': 'Beri sebab sebelum membaca perbualan orang lain',
}
