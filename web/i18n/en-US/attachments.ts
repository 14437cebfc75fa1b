import type { AttachmentTexts } from '#web/i18n/dictionary.ts'

export const attachments: AttachmentTexts = {
  'attachments.label': 'Pictures and files with the question',
}
