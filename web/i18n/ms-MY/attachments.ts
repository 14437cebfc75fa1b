import type { AttachmentTexts } from '#web/i18n/dictionary.ts'

export const attachments: AttachmentTexts = {
  'attachments.label': 'Gambar dan fail bersama soalan',
}
