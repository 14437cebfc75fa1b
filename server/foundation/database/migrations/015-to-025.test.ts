import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

const before = MIGRATIONS.filter(({ version }) => version < 22)

eachStorage((_, storage) => {
  test('what an account did not know, and was hidden for that, is its owner’s again; what a person hid stays hidden', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    await migrate(open, before)
    const { database, engine } = open
    const no = engine === 'sqlite' ? '0' : 'false'
    const hidden = (id: string, columns: string, values: string) =>
      sql
        .raw(
          `insert into conversations (conversation_id, is_valid, create_time, ${columns}) values ('${id}', ${no}, 1, ${values})`,
        )
        .execute(database)
    const AT_WEB = 'source, upstream_conversation_id, hide_time, hidden_by, deletion_id'
    await hidden('by sync', AT_WEB, `'openai_web', 'a', 77, null, null`)
    await hidden('by a person', AT_WEB, `'openai_web', 'b', 77, 3, null`)
    await hidden('with others', AT_WEB, `'openai_web', 'c', 77, null, 4`)
    await hidden('long ago', AT_WEB, `'openai_web', 'd', null, null, null`)
    await hidden('of the other source', AT_WEB, `'openai_api', null, 77, null, null`)
    await migrate(open, MIGRATIONS)
    const rows = await database
      .selectFrom('conversations')
      .select(['conversation_id', 'is_valid', 'hide_time', 'gone_upstream_time'])
      .orderBy('id')
      .execute()
    expect(rows.map(row => [row.conversation_id, row.is_valid, row.hide_time, row.gone_upstream_time])).toEqual([
      ['by sync', true, null, 77],
      ['by a person', false, 77, null],
      ['with others', false, 77, null],
      ['long ago', false, null, null],
      ['of the other source', false, 77, null],
    ])
    await open.close()
  })
})
