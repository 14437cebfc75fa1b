import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { listedModels } from './007-listed-models.ts'
import { MIGRATIONS } from './migrations.ts'

eachStorage((_, storage) => {
  test('a database from before keeps the lists of endpoints from now on, one for each address', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < listedModels.version),
      )
      const keep = (read_time: number) =>
        sql`insert into listed_models (address_digest, models, read_time) values ('a', '[]', ${read_time})`.execute(
          open.database,
        )
      await expect(keep(1)).rejects.toThrow('listed_models')
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version <= listedModels.version),
      )
      await keep(1)
      await expect(keep(2)).rejects.toThrow()
      expect(
        (await sql`select address_digest, models, read_time from listed_models`.execute(open.database)).rows,
      ).toEqual([{ address_digest: 'a', models: '[]', read_time: 1 }])
    } finally {
      await open.close()
    }
  })
})
