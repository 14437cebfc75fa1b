import type { AskAttachment } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { WebFileId } from '#contract/files.ts'
import type { KeptAttachment } from '#contract/messages.ts'
import { GoneReason } from '#contract/ownFiles.ts'
import { PAGE_END, pagesIn } from '#contract/pages.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { isRaster } from '#server/foundation/pictures.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { AttachedPart } from '#server/providers/attachedPart.ts'
import type { Disk } from './disk.ts'
import { type KeptFile, keptFileStore, type PageRow } from './keptStore.ts'
import { fileStore } from './store.ts'

/**
 * What an ask attaches, as its question is to keep it: names, sizes and types are those of the files that are here.
 * Each must be its caller’s own, and have what it is to be sent as; another’s is not found, like one that does not
 * exist.
 */
export async function requireAttachments(
  database: Database,
  { caller, attachments }: Pick<RequestedAsk, 'caller' | 'attachments'>,
  { files: { max_attachments, max_ask_bytes, picture_detail } }: Configuration,
): Promise<KeptAttachment[]> {
  if (attachments.length === 0) return []
  if (attachments.length > max_attachments) throw new Refusal('tooManyFiles', { most: max_attachments })
  const files = await filesOf(
    database,
    caller.user_id,
    attachments.map(({ file_id }) => file_id),
  )
  const unknown = attachments.filter(({ file_id }) => !files.has(file_id)).map(({ file_id }) => file_id)
  if (unknown.length > 0) throw await refusalOfUnknown(database, caller.user_id, unknown)
  const required = attachments.flatMap(
    attachment => requireOne(withDetail(attachment, picture_detail), files.get(attachment.file_id)) ?? [],
  )
  const bytes = required.reduce((sum, each) => sum + each.bytes, 0)
  if (bytes > max_ask_bytes) throw new Refusal('attachmentsTooLarge', { max_bytes: max_ask_bytes })
  return required.map(({ kept }) => kept)
}

async function filesOf(database: Database, user_id: number, ids: readonly string[]) {
  const files = await keptFileStore(database).keptOf(user_id, [...new Set(ids)])
  return new Map(files.map(file => [file.file_id, file]))
}

/** The caller’s own are with a web account, which alone can be asked with them. */
async function refusalOfUnknown(database: Database, user_id: number, ids: readonly string[]): Promise<Refusal> {
  const web = ids.filter(id => WebFileId.safeParse(id).success)
  const own = web.length === 0 ? [] : await fileStore(database).completedOf(user_id, web)
  return new Refusal(own.length > 0 && own.length === ids.length ? 'fileOfOtherAccount' : 'resourceNotFound')
}

/** What nobody has chosen is as the portal has it; endpoints are free to decide where that is `auto`. */
const withDetail = (attachment: AskAttachment, detail: Configuration['files']['picture_detail']): AskAttachment =>
  attachment.as === 'picture' && attachment.detail == null && detail !== 'auto' ? { ...attachment, detail } : attachment

/** `bytes`: as it is sent, before it is encoded. */
type Required = { kept: KeptAttachment; bytes: number }

function requireOne(attachment: AskAttachment, file: KeptFile | undefined): Required | null {
  if (file === undefined) return null
  const { original_filename: name, content_type, page_count, size } = file
  if (file.gone_time !== null) throw new Refusal('attachmentGone', { name })
  const { as, pages = null, detail = null } = attachment
  const kept = {
    ...{ id: file.file_id, name, size, mimeType: content_type, width: file.width, height: file.height },
    ...{ as, pages, page_count, detail, tokens: file.text_tokens },
  }
  if (pages !== null && pagesIn(pages, page_count ?? 0).length === 0)
    throw new Refusal('invalidAskRequest', { field: 'attachments.pages', reason: 'It has no such pages' })
  if (as === 'file' || (as === 'picture' && isRaster(content_type))) return { kept, bytes: size }
  if (as === 'text') {
    if (file.text_tokens === null) throw new Refusal('attachmentNotRead', { name })
    return { kept, bytes: 0 }
  }
  const shown = shownPages(kept, file)
  if (shown.length === 0 || shown.length < pagesIn(pages, page_count ?? 0).length)
    throw new Refusal('attachmentNotRead', { name })
  return { kept, bytes: shown.reduce((sum, page) => sum + page.size, 0) }
}

function shownPages({ pages }: KeptAttachment, file: KeptFile): PageRow[] {
  const last = file.page_count ?? file.pages.at(-1)?.page_number ?? 0
  const wanted = new Set(pagesIn(pages, last))
  return file.pages.filter(({ page_number }) => wanted.has(page_number))
}

/** Those of these files that are pictures of the person and here, as what goes with a question. */
export const picturesOf =
  (database: Database) =>
  async (user_id: number, ids: readonly string[]): Promise<KeptAttachment[]> => {
    const files = await filesOf(database, user_id, ids)
    return [...files.values()]
      .filter(({ gone_time, content_type }) => gone_time === null && isRaster(content_type))
      .map(({ file_id: id, original_filename: name, size, content_type: mimeType, width, height }) => ({
        ...{ id, name, size, mimeType, width, height, as: 'picture' as const, detail: 'auto' as const },
      }))
  }

/** What there is of an attachment: nothing where it is gone, and less where pages are. */
export type LoadedAttachment = { attachment: KeptAttachment; parts: AttachedPart[]; gone: GoneReason | null }

/**
 * Loads what went with questions of this person, in its order, as a provider sends it: with the bytes. The caller
 * bounds how much is asked for.
 */
export const attachmentLoading =
  (database: Database, disk: Pick<Disk, 'content'>) =>
  async (user_id: number, attachments: readonly KeptAttachment[]): Promise<LoadedAttachment[]> => {
    const files = await filesOf(
      database,
      user_id,
      attachments.map(({ id }) => id),
    )
    const loaded: LoadedAttachment[] = []
    // One after the other: each may be large.
    for (const attachment of attachments) {
      const file = files.get(attachment.id)
      const gone = file === undefined ? 'deleted' : (GoneReason.safeParse(file.gone_reason).data ?? null)
      const parts = file === undefined || gone !== null ? [] : await partsOf(database, disk, attachment, file)
      loaded.push({ attachment, parts, gone: gone ?? (parts.length === 0 ? 'deleted' : null) })
    }
    return loaded
  }

async function partsOf(
  database: Database,
  disk: Pick<Disk, 'content'>,
  attachment: KeptAttachment,
  file: KeptFile,
): Promise<AttachedPart[]> {
  const { file_id, original_filename: name, content_type: media_type, storage_path, width, height } = file
  const { as, detail } = attachment
  if (as === 'text') {
    const text = await keptFileStore(database).textOf(file_id)
    return text === null ? [] : [{ kind: 'text', file_id, name, ...textOfPages(text, attachment, file) }]
  }
  const picture = { kind: 'picture', file_id, name, detail: detail ?? 'auto' } as const
  if (as === 'picture' && !isRaster(media_type)) {
    const parts: AttachedPart[] = []
    for (const page of shownPages(attachment, file)) {
      const content = await disk.content(page.storage_path)
      if (content === null) continue
      const { page_number, content_type, width, height } = page
      parts.push({ ...picture, page: page_number, media_type: content_type, content, width, height })
    }
    return parts
  }
  const content = storage_path === null ? null : await disk.content(storage_path)
  if (content === null) return []
  return as === 'picture'
    ? [{ ...picture, page: null, media_type, content, width, height }]
    : [{ kind: 'file', file_id, name, media_type, content }]
}

function textOfPages(text: string, { pages }: KeptAttachment, { page_count }: KeptFile) {
  if (page_count === null) return { pages: null, text }
  const all = text.split(PAGE_END)
  const numbers = pagesIn(pages, page_count)
  return { pages: numbers, text: numbers.map(page => all[page - 1] ?? '').join(PAGE_END) }
}
