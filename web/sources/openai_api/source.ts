import type { AskAttachment } from '#contract/asking.ts'
import type { KeptAttachment } from '#contract/messages.ts'
import { type FileTraits, type PageSource, plainSource } from '#web/sources/source.ts'

const files: FileTraits = {
  disabledReason: () => null,
  loadDrafts: null,
  metadataOf: ({ attachments }) =>
    attachments == null ? null : { source: 'openai_api', attachments: attachments.map(asKept) },
  fieldsOf(_, { metadata }, without) {
    const kept = metadata?.source === 'openai_api' ? (metadata.attachments ?? []) : []
    const attachments = kept.filter(({ id }) => !without.has(id)).map(asAsked)
    return attachments.length === 0 ? {} : { attachments }
  },
}

const asKept = ({ file_id: id, name, mime_type: mimeType, ...rest }: AskAttachment): KeptAttachment => ({
  ...rest,
  id,
  name: name ?? '',
  mimeType,
})

const asAsked = ({ id, as, name, size, width, height, mimeType, pages, detail }: KeptAttachment): AskAttachment => ({
  file_id: id,
  as,
  name,
  size,
  width,
  height,
  mime_type: mimeType,
  pages,
  detail,
})

/** Endpoints that keep nothing: each ask has the whole context, and the files are this portal’s. */
export const openai_api: PageSource = {
  ...plainSource('openai_api'),
  hint: 'newConversation.apiHint',
  forks: true,
  files,
}
