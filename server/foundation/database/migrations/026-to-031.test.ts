import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

const before = (first: number) => MIGRATIONS.filter(({ version }) => version < first)
const COLUMNS = 'ask_id, user_id, source, model, question_id, reply_id, ask_state, ticket, reserved, create_time'
const VALUES = `7, 'openai_api', 'gpt_4', 'q', 'r', 'asking', 3, '{}', 1`

eachStorage((_, storage) => {
  test('asks keep their conversation, and further ones need none', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    await migrate(open, before(28))
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

/** Rows as the program of before wrote them. */
async function storedBefore({ database }: OpenDatabase): Promise<void> {
  for (const [path, value, by] of [
    ['openai_api.openai_base_url', 'https://models.example.org/v1/', 3],
    ['openai_api.key_header', null, 3],
    ['openai_api.max_completion_concurrency', 4, null],
    ['openai_api.shared_limit', 'not a number', 3],
    ['openai_web.team_account_id', 'team-1', 3],
    ['openai_web.shared_limit', null, 3],
    ['openai_web.enabled', true, 3],
  ] as const)
    await sql`insert into stored_settings (setting_path, setting_value, update_time, updated_by)
      values (${path}, ${JSON.stringify(value)}, 7, ${by})`.execute(database)
  await sql`insert into stored_credentials (credential_name, sealed_value, origin, update_time, updated_by)
    values ('openai_api_key', 'v1.key', 'https://models.example.org', 8, 3), ('openai_web_access_token', 'v1.token', null, 9, null)`.execute(
    database,
  )
  await sql`insert into upstreams (source, label, create_time, sealed_secret, base_url)
    values ('openai_api', 'Second', 1, 'v1.second', 'https://second.example.org')`.execute(database)
}

eachStorage((_, storage) => {
  test('what settings and credentials said of an account becomes that of its row, as it is sealed, and nothing else does', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(open, before(29))
      await storedBefore(open)
      await migrate(open)
      const { database } = open
      const set = (by: number | null) => ({ by, time: 7 })
      const sealed = { secret_form: 'credential' }
      expect(await database.selectFrom('upstreams').selectAll().orderBy('id').execute()).toMatchObject([
        {
          ...{ source: 'openai_web', base_url: null, team_account_id: 'team-1', shared_limit: null },
          ...{ sealed_secret: 'v1.token', secret_origin: '', secret_time: 9, secret_by: null, ...sealed },
          values_set: { team_account_id: set(3), shared_limit: set(3) },
        },
        {
          ...{ source: 'openai_api', base_url: 'https://models.example.org/v1/', key_header: null, concurrency: 4 },
          ...{ sealed_secret: 'v1.key', secret_origin: 'https://models.example.org', secret_time: 8, secret_by: 3 },
          ...{ ...sealed, shared_limit: null },
          values_set: { base_url: set(3), key_header: set(3), concurrency: set(null) },
        },
        { label: 'Second', sealed_secret: 'v1.second', secret_origin: null, secret_form: null, values_set: null },
      ])
      expect(await database.selectFrom('stored_settings').select('setting_path').execute()).toEqual([
        { setting_path: 'openai_web.enabled' },
      ])
    } finally {
      await open.close()
    }
  })
  test('a portal in which nothing was stored has nothing set', async () => {
    const open = await openDatabase(await storage('empty'))
    try {
      expect(await open.database.selectFrom('upstreams').select(['values_set', 'sealed_secret']).execute()).toEqual([
        { values_set: null, sealed_secret: null },
        { values_set: null, sealed_secret: null },
      ])
    } finally {
      await open.close()
    }
  })
})

eachStorage((_, storage) => {
  test('what was typed of picked models is set, what was learned stays, and web accounts take what they took', async () => {
    const open = await openDatabase(await storage('empty'), { migrate: false })
    try {
      await migrate(open, before(31))
      const { database, engine } = open
      const run = (statement: string) => sql.raw(statement).execute(database)
      const [yes, no] = engine === 'sqlite' ? ['1', '0'] : ['true', 'false']
      await run(`insert into upstreams (id, source, label, create_time, models_picked) values (90, 'openai_api', 'picked', 1, ${yes}),
        (91, 'openai_api', 'listed', 1, ${no})`)
      await run(`insert into upstream_models (upstream_id, code, name, context_length, position, offered) values
        (90, 'mine', 'a', 4096, 0, ${yes}), (90, 'b', 'b', null, 1, ${no}), (91, 'a', 'a', 8192, 0, ${yes})`)
      await run(`insert into learned_contexts (upstream_id, model_name, address_digest, tokens, update_time) values
        (90, 'a', 'digest', 1000, 5), (91, 'gone', 'digest', 2000, 6)`)
      await migrate(open)
      const models = await database
        .selectFrom('upstream_models')
        .select([
          'code',
          'name',
          'context_length',
          'set_capabilities',
          'learned_context_length',
          'learned_time',
          'listed',
        ])
        .where('upstream_id', '>=', 90)
        .orderBy('upstream_id')
        .orderBy('position')
        .execute()
      const rest = { context_length: null, set_capabilities: null, learned_context_length: null, learned_time: null }
      expect(models).toEqual([
        {
          ...{ ...rest, code: 'mine', name: 'a', listed: true, set_capabilities: { context_length: 4096 } },
          ...{ learned_context_length: 1000, learned_time: 5 },
        },
        { ...rest, code: 'b', name: 'b', listed: true },
        { ...rest, code: 'a', name: 'a', listed: true, context_length: 8192 },
        { ...rest, code: '#gone', name: 'gone', listed: false, learned_context_length: 2000, learned_time: 6 },
      ])
      const ofWeb = await database
        .selectFrom('upstream_models')
        .innerJoin('upstreams', 'upstreams.id', 'upstream_models.upstream_id')
        .select(['code', 'set_capabilities', 'offered'])
        .where('source', '=', 'openai_web')
        .orderBy('code')
        .execute()
      expect(ofWeb).toEqual([
        { code: 'gpt_4', set_capabilities: { takes_pictures: true, takes_files: true }, offered: false },
        { code: 'gpt_4_code_interpreter', set_capabilities: { takes_files: true }, offered: false },
      ])
    } finally {
      await open.close()
    }
  })
})
