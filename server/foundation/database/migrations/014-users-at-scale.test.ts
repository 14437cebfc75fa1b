import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { migrate } from '../migrate.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { usersAtScale } from './014-users-at-scale.ts'
import { MIGRATIONS } from './migrations.ts'

/** A row of the ledger: what it moved, of the total or of a model, why; of another source where it says so. */
type Entry = [change: number, of: 'total' | 'gpt_4' | 'gpt_3_5' | 'both' | 'nothing', reason: string, source?: string]
type Counts = { total: number; gpt_4: number }

/** What remained with what had moved it, and how much is allowed then. */
const CASES: Record<string, { entries: Entry[]; remaining: Counts; allowed: Counts }> = {
  'a count that nothing has moved is allowed as it is': {
    entries: [],
    remaining: { total: 40, gpt_4: 0 },
    allowed: { total: 40, gpt_4: 0 },
  },
  'an unlimited one stays so, whatever was asked': {
    entries: [
      [-1, 'both', 'reserved'],
      [-1, 'both', 'reserved'],
    ],
    remaining: { total: -1, gpt_4: -1 },
    allowed: { total: -1, gpt_4: -1 },
  },
  'what was used is added to what remains, what was given back is not': {
    entries: [
      [-1, 'both', 'reserved'],
      [-1, 'total', 'reserved'],
      [-1, 'both', 'reserved'],
      [1, 'both', 'given back'],
    ],
    remaining: { total: 38, gpt_4: 4 },
    allowed: { total: 40, gpt_4: 5 },
  },
  'what was used before a count was set the last time does not count': {
    entries: [
      [-1, 'both', 'reserved'],
      [50, 'total', 'set'],
      [-1, 'both', 'reserved'],
      [7, 'gpt_4', 'set'],
      [30, 'total', 'set'],
      [-1, 'both', 'reserved'],
    ],
    remaining: { total: 99, gpt_4: 6 },
    allowed: { total: 100, gpt_4: 7 },
  },
  'what other models, other sources and rows that moved nothing say does not count': {
    entries: [
      [-1, 'gpt_3_5', 'reserved'],
      [-3, 'both', 'reserved', 'openai_web'],
      [-1, 'nothing', 'reserved'],
      [9, 'gpt_4', 'set', 'openai_web'],
      [-1, 'gpt_4', 'reserved'],
    ],
    remaining: { total: 10, gpt_4: 2 },
    allowed: { total: 10, gpt_4: 3 },
  },
  'no less is allowed than remains, whatever the ledger says': {
    entries: [[5, 'both', 'given back']],
    remaining: { total: 12, gpt_4: 3 },
    allowed: { total: 12, gpt_4: 3 },
  },
}

async function storedBefore(open: OpenDatabase, username: string, { entries, remaining }: (typeof CASES)[string]) {
  const { database, engine } = open
  const id = await storedUser(database, {
    username,
    nickname: 'Ｍéi 梅',
    remark: 'Group  A',
    email: `${username}@example.org`,
  })
  const [no, yes] = engine === 'sqlite' ? ['0', '1'] : ['false', 'true']
  const run = (statement: string) => sql.raw(statement).execute(database)
  await run(`insert into user_source_settings (user_id, source, allow_to_use, max_conv_count, total_ask_count, rate_limits,
    daily_available_time_slots, available_models, disable_uploading)
    values (${id}, 'openai_api', ${no}, -1, ${remaining.total}, '[]', '[]', '[]', ${no})`)
  await run(`insert into user_model_ask_counts (user_id, source, model, ask_count)
    values (${id}, 'openai_api', 'gpt_4', ${remaining.gpt_4})`)
  for (const [change, of, reason, source = 'openai_api'] of entries) {
    const model = of === 'total' ? 'null' : `'${of === 'gpt_3_5' ? of : 'gpt_4'}'`
    const ofTotal = ['total', 'both'].includes(of) ? yes : no
    const ofModel = ['total', 'nothing'].includes(of) ? no : yes
    await run(`insert into ask_ledger (user_id, source, model, change, of_total, of_model, reason, create_time)
      values (${id}, '${source}', ${model}, ${change}, ${ofTotal}, ${ofModel}, '${reason}', 1)`)
  }
  return id
}

eachStorage((_, storage) => {
  test('how much is allowed of the counts of before, by what remained and by what their ledger says', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < usersAtScale.version),
      )
      const ids = new Map<number, string>()
      for (const [name, counts] of Object.entries(CASES))
        ids.set(await storedBefore(open, `user${ids.size}`, counts), name)
      await migrate(open)
      const { database } = open
      const totals = await database
        .selectFrom('user_source_settings')
        .select(['user_id', 'total_ask_allowed'])
        .execute()
      const models = await database.selectFrom('user_model_allowances').select(['user_id', 'ask_allowed']).execute()
      const found = totals.map(({ user_id, total_ask_allowed }) => [
        ids.get(user_id),
        { total: total_ask_allowed, gpt_4: models.find(row => row.user_id === user_id)?.ask_allowed },
      ])
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(Object.entries(CASES).map(([name, { allowed }]) => [name, allowed])),
      )
      const { search_text } = await database
        .selectFrom('users')
        .select('search_text')
        .where('username', '=', 'user0')
        .executeTakeFirstOrThrow()
      expect(search_text.split('\n')).toEqual(['mei 梅', 'user0', 'user0@example.org', 'group  a'])
    } finally {
      await open.close()
    }
  })
})
