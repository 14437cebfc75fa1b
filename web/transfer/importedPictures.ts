import { readContent, webFileIn } from '#contract/files.ts'
import type { ImagePart } from '#contract/messages.ts'
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

/** Stores the pictures that imported messages point to as files of the person, and lets the messages point to those. */
export function importedPictures(read: ReadPicture, signal: AbortSignal) {
  /** Null: it was not taken, or is not in the file. */
  const addresses = new Map<string, string | null>()
  let skipped = 0
  let stored = 0
  let refusedInARow = 0

  async function store(id: string): Promise<string | null> {
    const picture = await read(id)
    if (picture === null) return null
    const isTaken = typeof picture === 'object' && stored < MAX_PICTURES && refusedInARow < MAX_REFUSED
    const file_id = isTaken ? await upload(picture.name, picture.content) : null
    if (file_id === null) skipped += 1
    else stored += 1
    return file_id === null ? null : addressOf(readContent, { params: { id: file_id } })
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
    const known = addresses.get(id)
    const address = known === undefined ? await store(id) : known
    addresses.set(id, address)
    return address === null ? part : { ...part, asset_pointer: address }
  }

  async function withPictures(message: ImportedMessage): Promise<ImportedMessage> {
    const { content, metadata } = message
    if (content?.content_type !== 'multimodal_text') return message
    const parts: (string | ImagePart)[] = []
    for (const part of content.parts) parts.push(await placed(part))
    // What is shown as a picture is not named once more below the text.
    const attachments = metadata?.attachments?.filter(({ id }) => (addresses.get(webFileIn(id) ?? '') ?? null) === null)
    const changed =
      metadata?.source === 'openai_web' && attachments !== undefined ? { ...metadata, attachments } : metadata
    return { ...message, content: { ...content, parts }, metadata: changed }
  }

  return {
    /** How many pictures of the file were not taken. */
    skipped: () => skipped,
    async takeAlong(batch: ImportBatch): Promise<ImportBatch> {
      const items: ImportBatch = []
      for (const item of batch) {
        const messages: ImportedMessage[] = []
        for (const message of item.conversation.messages) messages.push(await withPictures(message))
        items.push({ ...item, conversation: { ...item.conversation, messages } })
      }
      return items
    },
  }
}
