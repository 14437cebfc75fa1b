import { readContent, webFileIn } from '#contract/files.ts'
import type { Attachment, ImagePart } from '#contract/messages.ts'
import { storeFile } from '#contract/ownFiles.ts'
import type { ImportedMessage } from '#contract/transfer.ts'
import { addressOf, call, RefusedCall } from '#web/foundation/call.ts'
import { callWithRetries } from './callWithRetries.ts'
import type { ExportedPicture } from './exportedPictures.ts'
import type { ImportBatch } from './importBatches.ts'

/** Bytes; the server may take less. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024
/** Of one import. */
const MAX_PICTURES = 2000
/** After so many refusals in a row the space is full, or nothing is taken: no more is sent. */
const MAX_REFUSED = 3

type ReadPicture = (id: string) => Promise<ExportedPicture | null>

/**
 * Stores the pictures and documents that imported messages point to as files of the person, and lets the messages point
 * to those.
 */
export function importedPictures(read: ReadPicture, signal: AbortSignal) {
  /** Null: it was not taken, or is not in the file. */
  const ids = new Map<string, string | null>()
  let skipped = 0
  let stored = 0
  let refusedInARow = 0

  /** Its id here. `name`: as its person called it, where that is known. */
  async function store(id: string, name: string | null): Promise<string | null> {
    const known = ids.get(id)
    if (known !== undefined) return known
    const file = await read(id)
    const isTaken = file !== null && typeof file === 'object' && stored < MAX_PICTURES && refusedInARow < MAX_REFUSED
    const file_id = isTaken ? await upload(name ?? file.name, file.content) : null
    if (file_id !== null) stored += 1
    else if (file !== null) skipped += 1
    ids.set(id, file_id)
    return file_id
  }

  async function upload(name: string, content: Uint8Array): Promise<string | null> {
    const file = new File([new Uint8Array(content)], name)
    try {
      const { id } = await callWithRetries(() => call(storeFile, { body: { file } }, { signal }), signal)
      refusedInARow = 0
      return id
    } catch (error) {
      // What cannot be sent at all ends the import, as its conversations could not be sent either.
      if (!(error instanceof RefusedCall)) throw error
      refusedInARow += 1
      return null
    }
  }

  async function placed(part: string | ImagePart): Promise<string | ImagePart> {
    const id = typeof part === 'string' ? null : webFileIn(part.asset_pointer)
    if (id === null || typeof part === 'string') return part
    const file_id = await store(id, null)
    return file_id === null ? part : { ...part, asset_pointer: addressOf(readContent, { params: { id: file_id } }) }
  }

  async function kept(attachment: Attachment): Promise<Attachment> {
    const id = webFileIn(attachment.id)
    const file_id = id === null ? null : await store(id, attachment.name)
    return file_id === null ? attachment : { ...attachment, id: file_id }
  }

  async function withPictures(message: ImportedMessage): Promise<ImportedMessage> {
    const { content } = message
    if (content?.content_type !== 'multimodal_text') return message
    const parts: (string | ImagePart)[] = []
    for (const part of content.parts) parts.push(await placed(part))
    return { ...message, content: { ...content, parts } }
  }

  async function withFiles(message: ImportedMessage): Promise<ImportedMessage> {
    const { metadata } = message
    if (metadata?.source !== 'openai_web' || metadata.attachments == null) return message
    // What is shown as a picture is not named once more below the text.
    const shown = JSON.stringify(message.content)
    const attachments: Attachment[] = []
    for (const each of metadata.attachments) {
      const isShown = shown.includes(`/${ids.get(webFileIn(each.id) ?? '') ?? '?'}/`)
      if (!isShown) attachments.push(await kept(each))
    }
    return { ...message, metadata: { ...metadata, attachments } }
  }

  return {
    /** How many pictures and documents of the file were not taken. */
    skipped: () => skipped,
    async takeAlong(batch: ImportBatch): Promise<ImportBatch> {
      const items: ImportBatch = []
      for (const item of batch) {
        const messages: ImportedMessage[] = []
        for (const message of item.conversation.messages) messages.push(await withFiles(await withPictures(message)))
        items.push({ ...item, conversation: { ...item.conversation, messages } })
      }
      return items
    },
  }
}
