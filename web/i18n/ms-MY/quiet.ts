import type { QuietTexts } from '../dictionary.ts'

export const quiet: QuietTexts = {
  'quiet.now': 'Hantar sekarang',
  'quiet.nowCost': 'Guna 1 soalan',
  'quiet.nowAhead': 'Guna 1 soalan, {count} orang di depan',
  'quiet.later': 'Hantar semasa lapang',
  'quiet.laterText': 'Dijawab apabila tiada yang menunggu, dikira separuh',
  'quiet.laterLikely': 'Dijawab apabila tiada yang menunggu, dikira separuh. Mungkin selepas {time}',
  'quiet.full': 'Sudah {count} soalan menunggu masa lapang',
  'quiet.waits': 'Menunggu masa lapang',
  'quiet.waitsLikely': 'Menunggu masa lapang, mungkin selepas {time}',
  'quiet.text':
    'Sesiapa yang bertanya didahulukan. Dikira separuh. Jika belum tiba giliran pada {time}, anda ditanya sama ada mahu bertanya sekarang.',
  'quiet.askNow': 'Tanya sekarang, guna separuh lagi',
}
