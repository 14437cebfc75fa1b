import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

const before = MIGRATIONS.filter(({ version }) => version < 28)
const COLUMNS = 'ask_id, user_id, source, model, question_id, reply_id, ask_state, ticket, reserved, create_time'
const VALUES = `7, 'openai_api', 'gpt_4', 'q', 'r', 'asking', 3, '{}', 1`

eachStorage((_, storage) => {
  test('asks keep their conversation, and further ones need none', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    await migrate(open, before)
    const { database } = open
    const insert = (columns: string, values: string) =>
      sql.raw(`insert into asks (${columns}) values (${values})`).execute(database)
    await insert(`${COLUMNS}, conversation_id`, `'before', ${VALUES}, 'c'`)
    await expect(insert(COLUMNS, `'refused', ${VALUES}`)).rejects.toThrow(/null/i)
    await migrate(open, MIGRATIONS)
    await insert(COLUMNS, `'after', ${VALUES}`)
    const rows = await database
      .selectFrom('asks')
      .select(['ask_id', 'conversation_id', 'ticket'])
      .orderBy('ask_id')
      .execute()
    expect(rows).toEqual([
      { ask_id: 'after', conversation_id: null, ticket: 3 },
      { ask_id: 'before', conversation_id: 'c', ticket: 3 },
    ])
    await open.close()
  })
})
