import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { migrate } from '../migrate.ts'
import { openDatabase, type OpenDatabase } from '../open.ts'
import { MIGRATIONS } from './migrations.ts'

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
      await migrate(
        open,
        MIGRATIONS.filter(({ version }) => version < 29),
      )
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
