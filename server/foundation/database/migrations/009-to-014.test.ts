import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { migrate } from '../migrate.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { upstreams, usersAtScale } from './009-to-014.ts'
import { MIGRATIONS } from './migrations.ts'

const LISTED = JSON.stringify([
  { id: 'llama3:8b', context_length: 8192, for_chat: true },
  { id: '模型', context_length: null, for_chat: true },
  { id: 'nomic-embed-text', context_length: null, for_chat: false },
])

/** Rows as the program of before wrote them. */
async function storedBefore({ database, engine }: OpenDatabase) {
  const [shares, own, had] = [
    await storedUser(database, { username: 'shares' }),
    await storedUser(database, { username: 'own' }),
    await storedUser(database, { username: 'had' }),
  ]
  const run = (statement: string) => sql.raw(statement).execute(database)
  const no = engine === 'sqlite' ? '0' : 'false'
  for (const [id, url] of [
    [shares, 'null'],
    [own, `'https://models.example.org/v1'`],
    [had, 'null'],
  ] as const)
    for (const source of ['openai_web', 'openai_api'])
      await run(`insert into user_source_settings (user_id, source, allow_to_use, max_conv_count, total_ask_count, rate_limits,
        daily_available_time_slots, available_models, disable_uploading, custom_openai_api_url, custom_openai_api_key)
        values (${id}, '${source}', ${no}, -1, -1, '[]', '[]', '[]', ${no}, ${source === 'openai_api' ? url : 'null'}, 'v1.sealed')`)
  const ask = (ask_id: string, user_id: number, queue: string, ticket: number) =>
    run(`insert into asks (ask_id, user_id, source, model, conversation_id, question_id, reply_id, ask_state, lane, ticket, reserved, create_time)
      values ('${ask_id}', ${user_id}, '${queue.split(':')[0]}', 'gpt_4', 'c', 'q', 'r', 'queueing', '${queue}', ${ticket}, '{}', 1)`)
  await ask('of shared', shares, 'openai_api', 4)
  await ask('of web', shares, 'openai_web', 1)
  await ask('of own', own, 'openai_api:own', 8)
  await ask('of former own', had, 'openai_api:own', 9)
  await ask('of nobody', 9_999, 'openai_api:own', 7)
  await run(`insert into lanes (lane, next_ticket) values ('openai_api', 5), ('openai_api:own', 10)`)
  await run(
    `insert into ask_logs (log_time, source, model, queueing_time, ask_time) values (1, 'openai_api', 'gpt_4', 0, 1)`,
  )
  for (const [id, source] of [
    ['api', 'openai_api'],
    ['web', 'openai_web'],
  ])
    await run(`insert into conversations (conversation_id, source, create_time) values ('${id}', '${source}', 1)`)
  await run(`insert into listed_models (address_digest, models, read_time) values ('older', '[]', 1)`)
  await sql`insert into listed_models (address_digest, models, read_time) values ('latest', ${LISTED}, 2)`.execute(
    database,
  )
  return { shares, own, had }
}

eachStorage((_, storage) => {
  test('what was there before names its upstream, each of which has its queue, and nothing of it is lost', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < upstreams.version),
      )
      const { own, had } = await storedBefore(open)
      await migrate(open)
      const { database } = open
      const rows = await database.selectFrom('upstreams').selectAll().orderBy('id').execute()
      expect(rows).toEqual([
        expect.objectContaining({ source: 'openai_web', user_id: null, models_digest: null }),
        expect.objectContaining({
          source: 'openai_api',
          user_id: null,
          enabled: true,
          health: 'normal',
          models_digest: 'latest',
          models_read_time: 2,
        }),
        ...[own, had].map(user_id => expect.objectContaining({ source: 'openai_api', user_id, base_url: null })),
      ])
      const [web = 0, api = 0, ofOwn = 0, ofHad = 0] = rows.map(({ id }) => id)
      for (const { create_time } of rows) expect(create_time).toBeGreaterThan(1_700_000_000_000)
      expect(
        await database.selectFrom('asks').select(['ask_id', 'upstream_id', 'ticket']).orderBy('ticket').execute(),
      ).toEqual([
        { ask_id: 'of web', upstream_id: web, ticket: 1 },
        { ask_id: 'of shared', upstream_id: api, ticket: 4 },
        { ask_id: 'of nobody', upstream_id: 0, ticket: 7 },
        { ask_id: 'of own', upstream_id: ofOwn, ticket: 8 },
        { ask_id: 'of former own', upstream_id: ofHad, ticket: 9 },
      ])
      expect(await database.selectFrom('queues').selectAll().orderBy('upstream_id').execute()).toEqual([
        { upstream_id: api, next_ticket: 5 },
        { upstream_id: ofOwn, next_ticket: 10 },
        { upstream_id: ofHad, next_ticket: 10 },
      ])
      expect(await database.selectFrom('ask_logs').select('upstream_id').execute()).toEqual([{ upstream_id: api }])
      expect(
        await database.selectFrom('conversations').select(['conversation_id', 'upstream_id']).orderBy('id').execute(),
      ).toEqual([
        { conversation_id: 'api', upstream_id: null },
        { conversation_id: 'web', upstream_id: web },
      ])
      expect(
        (await database.selectFrom('user_source_settings').select('custom_openai_api_key').execute()).every(
          row => row.custom_openai_api_key === 'v1.sealed',
        ),
      ).toBe(true)
      const models = await database
        .selectFrom('upstream_models')
        .selectAll()
        .where('listed', '=', true)
        .orderBy('position')
        .execute()
      expect(
        models.map(({ upstream_id, code, name, context_length, offered }) => [
          upstream_id,
          code,
          name,
          context_length,
          offered,
        ]),
      ).toEqual([
        [api, 'llama3:8b', 'llama3:8b', 8192, true],
        [api, 'model-c98e118e', '模型', null, true],
        [api, 'nomic-embed-text', 'nomic-embed-text', null, false],
      ])
    } finally {
      await open.close()
    }
  })
  test('a database without anything in it has the first upstream of each source', async () => {
    const open = await openDatabase(await storage('empty'))
    try {
      expect(await open.database.selectFrom('upstreams').select(['source', 'user_id']).orderBy('id').execute()).toEqual(
        [
          { source: 'openai_web', user_id: null },
          { source: 'openai_api', user_id: null },
        ],
      )
    } finally {
      await open.close()
    }
  })
})

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

async function storedWithCounts(open: OpenDatabase, username: string, { entries, remaining }: (typeof CASES)[string]) {
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
        ids.set(await storedWithCounts(open, `user${ids.size}`, counts), name)
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
