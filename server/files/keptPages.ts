import { MAX_PAGES } from '#contract/pages.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { isRaster } from '#server/foundation/pictures.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { fileBounds } from './bounds.ts'
import type { Disk } from './disk.ts'
import type { KeptFiles } from './keptFiles.ts'
import { keptFileStore } from './keptStore.ts'
import { type FileRow, fileStore } from './store.ts'
import type { UploadLimit } from './uploadLimit.ts'
import { writeFile, type WrittenFile } from './writing.ts'

type Dependencies = {
  open: OpenDatabase
  disk: Disk
  configuration(): Configuration
  limitUploads: UploadLimit
  files: Pick<KeptFiles, 'lockOwner' | 'requireSpace'>
}

type PageOf = { uploader_id: number; id: string; page_number: number }

/** Pages of documents as pictures, as the browsers of their owners drew them. */
export function openKeptPages({ open, disk, configuration, limitUploads, files }: Dependencies) {
  const requireDocument = (row: FileRow | undefined, { uploader_id, page_number }: PageOf): FileRow => {
    if (row === undefined || row.uploader_id !== uploader_id) throw new Refusal('resourceNotFound')
    if (row.gone_time !== null) throw new Refusal('attachmentGone', { name: row.original_filename })
    if (row.content_hash === null || isRaster(row.content_type)) throw new Refusal('invalidRequest')
    const last = row.page_count ?? MAX_PAGES
    if (page_number < 1 || page_number > last)
      throw invalid(['path', 'number'], `Not from 1 to ${last}`, 'out_of_range')
    return row
  }

  /** In place of an earlier one. Returns the row as it is then, and the path of the earlier one. */
  const insert = (page: PageOf, picture: WrittenFile): Promise<{ row: FileRow; unused: string[] }> =>
    open.transaction(async trx => {
      const { uploader_id, id: file_id, page_number } = page
      const store = keptFileStore(trx)
      await files.lockOwner(trx, uploader_id)
      const row = requireDocument(await fileStore(trx).find(file_id), page)
      const earlier = await store.findPage(file_id, page_number)
      if (earlier !== undefined) await store.removePage(file_id, page_number)
      const { storage_path, content_type, size, width, height } = picture
      await files.requireSpace(trx, uploader_id, size - (earlier?.size ?? 0))
      await store.insertPage({ file_id, page_number, storage_path, content_type, size, width, height })
      const extra_bytes = Math.max(0, row.extra_bytes + size - (earlier?.size ?? 0))
      await store.change(file_id, { extra_bytes })
      return { row: { ...row, extra_bytes }, unused: earlier === undefined ? [] : [earlier.storage_path] }
    })

  return {
    async keep(page: PageOf, content: AsyncIterable<Buffer>): Promise<FileRow> {
      requireDocument(await fileStore(open.database).find(page.id), page)
      return limitUploads(page.uploader_id, async () => {
        const { attached: max_bytes } = await fileBounds(open.database, configuration(), page.uploader_id)
        const picture = await writeFile(disk, page.uploader_id, 'page.png', content, max_bytes)
        try {
          const { row, unused } = await insert(page, picture)
          await Promise.all(unused.map(disk.remove))
          return row
        } catch (cause) {
          await disk.remove(picture.storage_path)
          throw cause
        }
      })
    },
  }
}
