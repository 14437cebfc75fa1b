import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { no, yes } from './migration.ts'
import { MIGRATIONS } from './migrations.ts'

eachStorage((_, storage) => {
  test('what was deleted or taken back before is counted from the upgrade, and what a sync found missing from nothing', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    const { database, engine } = open
    await migrate(
      open,
      MIGRATIONS.filter(({ version }) => version < 39),
    )
    for (const [id, is_valid, hide_time, gone] of [
      ['deleted', no, '7', 'null'],
      ['of nobody knows when', no, 'null', 'null'],
      ['deleted and missing', no, '7', '5'],
      ['missing', yes, 'null', '5'],
      ['there', yes, 'null', 'null'],
    ] as const)
      await sql
        .raw(
          `insert into conversations (conversation_id, source, create_time, is_valid, hide_time, gone_upstream_time)
           values ('${id}', 'openai_web', 1, ${is_valid[engine]}, ${hide_time}, ${gone})`,
        )
        .execute(database)
    for (const [id, time] of [
      ['withdrawn', '7'],
      ['shown', 'null'],
    ])
      await sql
        .raw(
          `insert into messages (conversation_id, message_id, position, role, create_time, withdraw_time)
           values ('there', '${id}', 1, 'user', 1, ${time})`,
        )
        .execute(database)
    const before = Date.now()
    await migrate(open, MIGRATIONS)
    const rows = await database.selectFrom('conversations').select(['conversation_id', 'ends_from']).execute()
    const counted = rows.filter(({ ends_from }) => ends_from !== null)
    expect(counted.map(row => row.conversation_id).toSorted()).toEqual([
      'deleted',
      'deleted and missing',
      'of nobody knows when',
    ])
    // The clock of the database may be a little off.
    for (const { ends_from } of counted) expect(Math.abs((ends_from ?? 0) - before)).toBeLessThan(60_000)
    const messages = await database.selectFrom('messages').select(['message_id', 'withdraw_time']).execute()
    const timeOf = (id: string) => messages.find(({ message_id }) => message_id === id)?.withdraw_time
    expect(timeOf('shown')).toBe(null)
    expect(Math.abs((timeOf('withdrawn') ?? 0) - before)).toBeLessThan(60_000)
    await open.close()
  })
})
