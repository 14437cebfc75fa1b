import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { system as zhCN } from '#web/i18n/zh-CN/admin/system.ts'

export const system: TextsOf<typeof zhCN> = {
  'system.context': 'Dikemas kini setiap {count} saat',
  'system.active': 'Pengguna aktif',
  'system.active.5m': 'dalam 5 minit',
  'system.active.1h': 'dalam 1 jam',
  'system.active.1d': 'dalam 1 hari',
  'system.portal': 'Portal',
  'system.version': 'Versi',
  'system.zone': 'Zon waktu',
  'system.sources': 'Sumber',
  'system.source.on': 'Hidup',
  'system.source.off': 'Mati',
  'system.models': 'Model',
  'system.none': 'Tiada',
  'system.demonstration': 'Ini demonstrasi: jawapan datang daripada simulator terbina dalam',
  'system.demonstration.why': 'Tiada akaun atau kunci sebenar disambungkan, supaya semuanya boleh dicuba tanpanya.',
  'system.connect': 'Sambungkan penyedia sebenar',
  'system.demonstration.tag': 'Demonstrasi',
  'system.connect.address': 'Alamat',
  'system.connect.address.help':
    'Sehingga /v1/; kosong bermaksud OpenAI. Ollama, vLLM, LiteLLM dan lain-lain boleh digunakan',
  'system.connect.secret': 'Kunci',
  'system.connect.secret.help':
    'Ditulis, tidak dipaparkan lagi; perkhidmatan pada mesin ini selalunya tidak memerlukannya',
  'system.connect.verb': 'Sambung',
  'system.connect.wrong': 'Alamat bermula dengan http:// atau https://',
  'system.connect.done': 'Telah disambung. Jawapan kini datang daripada penyedia sebenar',
  'system.connect.other': 'Sambung melalui pemboleh ubah persekitaran',
  'system.connect.key': 'OpenAI: tetapkan kunci dan mulakan semula.',
  'system.connect.url':
    'Mana-mana perkhidmatan serasi OpenAI (Ollama, vLLM, LiteLLM dan lain-lain): tetapkan alamatnya, sehingga /v1/.',
  'system.connect.models':
    'Model yang disenaraikannya akan ditawarkan. Model lain boleh ditambah di bawah openai_api.further_models.',
}
