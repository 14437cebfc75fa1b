import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

const COLUMNS = 'file_id, uploader_id, original_filename, size, content_type, storage_path, upload_time'

eachStorage((_, storage) => {
  test('files of before stay as they were, without a hash, and what is added goes with its file', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      const { database } = open
      const run = (statement: string) => sql.raw(statement).execute(database)
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < 33),
      )
      await run(`insert into users (id, username, nickname, email, password_hash, create_time)
        values (7, 'ann', 'Ann', 'ann@example.org', 'none', 1)`)
      await run(
        `insert into uploaded_files (${COLUMNS}) values ('old', 7, 'plan.pdf', 5, 'application/pdf', 'uploads/7/old.dat', 1)`,
      )
      await migrate(open, MIGRATIONS)
      const [old] = await database.selectFrom('uploaded_files').selectAll().execute()
      expect(old).toMatchObject({
        ...{ file_id: 'old', original_filename: 'plan.pdf', size: 5, storage_path: 'uploads/7/old.dat' },
        ...{ content_hash: null, page_count: null, text_tokens: null, thumbnail_path: null, extra_bytes: 0 },
        ...{ gone_time: null, gone_reason: null },
      })
      await run(`insert into file_texts (file_id, file_text) values ('old', 'We begin.')`)
      await run(`insert into file_pages (file_id, page_number, storage_path, content_type, size)
        values ('old', 1, 'uploads/7/page.dat', 'image/png', 9)`)
      await expect(run(`insert into file_texts (file_id, file_text) values ('nobody', 'x')`)).rejects.toThrow()
      await database.deleteFrom('uploaded_files').execute()
      expect([
        await database.selectFrom('file_texts').selectAll().execute(),
        await database.selectFrom('file_pages').selectAll().execute(),
      ]).toEqual([[], []])
    } finally {
      await open.close()
    }
  })
})
