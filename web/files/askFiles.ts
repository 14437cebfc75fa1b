import { type AskRequest, MAX_IMAGES } from '#contract/asking.ts'
import {
  isPictureType,
  isReadType,
  READ_EXTENSIONS,
  READ_TYPES,
  readTypeOf,
  type UploadedFile,
  webFilePointer,
} from '#contract/files.ts'
import type { ModelChoice } from '#contract/models.ts'
import type { Attachment, ImagePart, Message } from '#contract/messages.ts'

/** Of a model, what decides how a file goes there; null while it is not known. */
export type SeeingModel = Pick<ModelChoice, 'takes_pictures'> | null

/** Whether a model gets pictures as parts of the question. */
export const seesPictures = (model: SeeingModel): boolean => model?.takes_pictures === true

/** The fields of a request that name its files; absent without files. */
export type AskFiles = Pick<AskRequest, 'openai_web_attachments' | 'openai_web_multimodal_image_parts'>

/** Each file is an attachment. For a model that sees pictures, a picture is also a part of the question. */
export function askFiles(
  model: SeeingModel,
  attachments: readonly Attachment[],
  parts: readonly ImagePart[] = partsOf(attachments),
): AskFiles {
  return {
    ...(attachments.length > 0 && { openai_web_attachments: [...attachments] }),
    ...(seesPictures(model) && parts.length > 0 && { openai_web_multimodal_image_parts: parts.slice(0, MAX_IMAGES) }),
  }
}

/** The files that a request names. */
export const sentAttachments = ({ openai_web_attachments }: AskFiles): Attachment[] => openai_web_attachments ?? []

/** The metadata of a question with the files of its request. */
export function metadataWith({ openai_web_attachments }: AskFiles): Message['metadata'] {
  return openai_web_attachments == null ? null : { source: 'openai_web', attachments: openai_web_attachments }
}

/** The files of a question, for an edited version of it, but those that are left out. */
export function filesOfQuestion(
  model: SeeingModel,
  { content, metadata }: Pick<Message, 'content' | 'metadata'>,
  without: ReadonlySet<string> = new Set(),
): AskFiles {
  const attachments = metadata?.source === 'openai_web' ? (metadata.attachments ?? []) : []
  const parts =
    content?.content_type === 'multimodal_text' ? content.parts.filter(part => typeof part !== 'string') : []
  const kept = attachments.filter(({ id }) => !without.has(id))
  return askFiles(model, kept, parts.length > 0 && kept.length === attachments.length ? parts : undefined)
}

/** Null while the upstream does not have the file. */
export function attachmentOf(
  { openai_web_info, original_filename, size, content_type, extra_info }: UploadedFile,
  mime_type: string,
): Attachment | null {
  if (openai_web_info === null) return null
  const { width = null, height = null } = extra_info ?? {}
  return {
    name: original_filename,
    id: openai_web_info.file_id,
    size,
    mimeType: content_type ?? mime_type,
    height,
    width,
  }
}

function partsOf(attachments: readonly Attachment[]): ImagePart[] {
  return attachments
    .filter(({ mimeType }) => isPictureType(mimeType ?? ''))
    .map(({ id, size, width, height }) => ({
      content_type: 'image_asset_pointer',
      asset_pointer: webFilePointer(id),
      size_bytes: size,
      width,
      height,
    }))
}

const ANY_TYPE = 'application/octet-stream'

/** The MIME type of a file: by its extension, else the browser's, as for a picture from the clipboard. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return readTypeOf(name) ?? (type || ANY_TYPE)
}

/** A model that gets pictures as parts of the question reads only some other types of files. */
export function isReadBy(model: SeeingModel, mime_type: string): boolean {
  return !seesPictures(model) || isReadType(mime_type)
}

/** The `accept` of a file input; undefined accepts any type. */
export function acceptOf(model: SeeingModel): string | undefined {
  return seesPictures(model) ? [...READ_EXTENSIONS.map(extension => `.${extension}`), ...READ_TYPES].join() : undefined
}
