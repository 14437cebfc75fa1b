import { Readable } from 'node:stream'
import { WebFileId } from '#contract/files.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { type Download, downloadAnswer } from '#server/foundation/http/download.ts'
import { relayedAnswer } from '#server/foundation/http/relayed.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { isRaster } from '#server/foundation/pictures.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import type { Disk } from './disk.ts'
import { keptFileStore } from './keptStore.ts'
import type { MayReadOf, Reader } from './localFiles.ts'
import { type FileRow, fileStore } from './store.ts'

type Dependencies = { open: OpenDatabase; disk: Disk; sources: Pick<Sources, 'all'>; mayReadOf: MayReadOf }
type Asked = Parameters<typeof downloadAnswer>[0]
type Stored = { storage_path: string; size: number; content_type: string; name: string }

/**
 * What is kept of files, as its owner and superusers read it: pictures are shown, all else is to be saved, and nothing
 * runs. Another’s is not found, like one that does not exist.
 */
export function openKeptContent({ open, disk, sources, mayReadOf }: Dependencies) {
  async function requireReadable(reader: Reader, id: string): Promise<FileRow & { storage_path: string }> {
    const row = await fileStore(open.database).find(id)
    if (row === undefined || (row.uploader_id !== reader.id && !reader.is_superuser))
      throw new Refusal('resourceNotFound')
    await mayReadOf(reader, { owner_id: row.uploader_id, conversation_id: row.conversation_id })
    if (row.gone_time !== null) throw new Refusal('attachmentGone', { name: row.original_filename })
    const { storage_path } = row
    if (storage_path === null) throw new Refusal('resourceNotFound')
    return { ...row, storage_path }
  }

  async function answer(request: Asked, { storage_path, size, content_type, name }: Stored): Promise<HttpAnswer> {
    const content = await disk.open(storage_path)
    if (content === null) throw new Refusal('resourceNotFound')
    const tag = storage_path.split('/').at(-1) ?? ''
    return downloadAnswer(request, { content, size, content_type, name, tag, isShown: isRaster(content_type) })
  }

  const whole = ({
    storage_path,
    size,
    content_type,
    original_filename: name,
  }: FileRow & { storage_path: string }) => ({
    ...{ storage_path, size, content_type, name },
  })

  return {
    async content(reader: Reader, id: string, request: Asked): Promise<HttpAnswer> {
      if (!WebFileId.safeParse(id).success) return answer(request, whole(await requireReadable(reader, id)))
      for (const { files } of sources.all)
        if (files?.content !== undefined) return relayedAnswer(await files.content(reader, id))
      throw new Refusal('resourceNotFound')
    },

    async thumbnail(reader: Reader, id: string, request: Asked): Promise<HttpAnswer> {
      const row = await requireReadable(reader, id)
      const { thumbnail_path: storage_path, content_type, original_filename: name } = row
      if (storage_path === null) {
        if (!isRaster(content_type)) throw new Refusal('resourceNotFound')
        return answer(request, whole(row))
      }
      const stored = await disk.about(storage_path)
      if (stored === null) throw new Refusal('resourceNotFound')
      return answer(request, { storage_path, name, ...stored })
    },

    async page(reader: Reader, { id, number }: { id: string; number: string }, request: Asked): Promise<HttpAnswer> {
      const { original_filename } = await requireReadable(reader, id)
      const page = await keptFileStore(open.database).findPage(id, Number(number))
      if (page === undefined) throw new Refusal('resourceNotFound')
      return answer(request, { ...page, name: `${original_filename} ${number}` })
    },

    async text(reader: Reader, id: string, request: Asked): Promise<HttpAnswer> {
      const { original_filename: name, file_id } = await requireReadable(reader, id)
      const text = await keptFileStore(open.database).textOf(file_id)
      if (text === null) throw new Refusal('resourceNotFound')
      const bytes = Buffer.from(text)
      const content: Download['content'] = {
        createReadStream: ({ start = 0, end = bytes.length - 1 } = { start: 0, end: bytes.length - 1 }) =>
          Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
        close: async () => {},
      }
      const content_type = 'text/plain; charset=utf-8'
      return downloadAnswer(request, {
        content,
        size: bytes.length,
        content_type,
        name: `${name}.txt`,
        tag: `${file_id}t`,
      })
    },
  }
}
