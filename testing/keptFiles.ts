import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { roughTokens } from '#contract/context.ts'
import { PAGE_END } from '#contract/pages.ts'
import type { App } from '#server/app.ts'
import { storagePath } from '#server/files/disk.ts'
import { NOT_KEPT } from '#server/files/store.ts'
import { painting } from '#simulator/answers/pictures.ts'

type KeptPicture = { name?: string; seed?: number; width?: number; height?: number; bytes?: Buffer }
type KeptDocument = { name: string; pages: readonly string[] }

/** Files of a person, as if their browser had sent them. */
export function keepingFiles({ services }: App, person: { id: number }) {
  async function keep(
    name: string,
    content_type: string,
    bytes: Buffer,
    more: Record<string, unknown>,
  ): Promise<string> {
    const file_id = crypto.randomUUID()
    const storage_path = storagePath(person.id, file_id)
    const path = join(services.configuration.current().data.data_dir, storage_path)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    const row = {
      ...{ file_id, uploader_id: person.id, original_filename: name, size: bytes.length, content_type, storage_path },
      ...{ upload_time: Date.now(), web_file_id: null, use_case: null, upload_url: null, download_url: null },
      ...{ ...NOT_KEPT, width: null, height: null, content_hash: createHash('sha256').update(file_id).digest('hex') },
    }
    await services.open.database
      .insertInto('uploaded_files')
      .values({ ...row, ...more })
      .execute()
    return file_id
  }

  return {
    picture: ({ name = 'hills.png', seed = 1, width = 512, height = 512, bytes }: KeptPicture = {}) =>
      keep(name, 'image/png', bytes ?? painting(seed, 'dawn'), { width, height }),

    async document({ name, pages }: KeptDocument): Promise<string> {
      const file_text = pages.join(PAGE_END)
      const counts = { page_count: pages.length, text_tokens: roughTokens(file_text) }
      const file_id = await keep(name, 'application/pdf', Buffer.from(`%PDF-1.7 ${name}`), counts)
      await services.open.database.insertInto('file_texts').values({ file_id, file_text }).execute()
      return file_id
    },
  }
}
