import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { appendedChunks } from './005-appended-chunks.ts'
import { MIGRATIONS } from './migrations.ts'

eachStorage((_, storage) => {
  test('the pieces of an answer that were written down before are kept', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < appendedChunks.version),
      )
      const chunks = ['b', 'a'].flatMap(ask_id =>
        [12, 7].map(chunk_number => ({ ask_id, chunk_number, chunk_text: `${ask_id}${chunk_number}` })),
      )
      await open.database.insertInto('ask_chunks').values(chunks).execute()
      await migrate(open)
      const kept = await open.database
        .selectFrom('ask_chunks')
        .selectAll()
        .orderBy('ask_id')
        .orderBy('chunk_number')
        .execute()
      expect(kept).toEqual(chunks.toReversed())
    } finally {
      await open.close()
    }
  })
})
