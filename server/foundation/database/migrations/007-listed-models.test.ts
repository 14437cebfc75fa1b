import { expect, test } from 'vitest'
import { eachDatabasePlace } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { listedModels } from './007-listed-models.ts'
import { MIGRATIONS } from './migrations.ts'

eachDatabasePlace((_, place) => {
  test('a database from before keeps the lists of endpoints from now on, one for each address', async () => {
    const open = await openDatabase(await place('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < listedModels.version),
      )
      const keep = (read_time: number) =>
        open.database
          .insertInto('listed_models')
          .values({ address_digest: 'a', models: [{ id: '模型', context_length: 8192, for_chat: true }], read_time })
          .execute()
      await expect(keep(1)).rejects.toThrow('listed_models')
      await migrate(open)
      await keep(1)
      await expect(keep(2)).rejects.toThrow()
      expect(await open.database.selectFrom('listed_models').selectAll().execute()).toEqual([
        { address_digest: 'a', models: [{ id: '模型', context_length: 8192, for_chat: true }], read_time: 1 },
      ])
    } finally {
      await open.close()
    }
  })
})
