import { sql } from 'kysely'
import type { Engine } from '../schema/definition.ts'
import type { Transaction } from '../schema/schema.ts'
import type { Migration } from './migration.ts'

/**
 * The upstreams that settings and stored credentials spoke of get what those had: every upstream is a row with all that
 * it has. Secrets move as they are sealed, since their key is not in the database; each start seals anew what it can
 * open.
 */
export const oneKindOfUpstream: Migration = {
  version: 29,
  name: '029-one-kind-of-upstream',
  statements: engine => [
    `alter table "upstreams" add column "secret_origin" ${text[engine]}`,
    `alter table "upstreams" add column "secret_form" ${text[engine]}`,
    'alter table "upstreams" add column "values_set" text',
    `update upstreams set sealed_secret = stored.sealed_value, secret_origin = coalesce(stored.origin, ''), secret_form = 'credential',
       secret_by = stored.updated_by, secret_time = stored.update_time
       from stored_credentials stored
       where is_first and source = case stored.credential_name
         when 'openai_api_key' then 'openai_api' when 'openai_web_access_token' then 'openai_web' end`,
    'drop table stored_credentials',
  ],
  async finish(trx) {
    for (const [source, columns] of Object.entries(COLUMNS)) await moveValues(trx, source, columns)
    await sql`alter table upstreams drop column is_first`.execute(trx)
  },
}

const text: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

type Columns = Record<string, { column: string; kind: 'text' | 'int' }>

const OF_EVERY_SOURCE: Columns = {
  proxy: { column: 'proxy', kind: 'text' },
  max_completion_concurrency: { column: 'concurrency', kind: 'int' },
  shared_limit: { column: 'shared_limit', kind: 'int' },
  shared_limit_window_seconds: { column: 'shared_limit_window_seconds', kind: 'int' },
}

/** The columns that settings of then become, by the keys of those. */
const COLUMNS: Record<string, Columns> = {
  openai_api: {
    ...OF_EVERY_SOURCE,
    openai_base_url: { column: 'base_url', kind: 'text' },
    key_header: { column: 'key_header', kind: 'text' },
  },
  openai_web: {
    ...OF_EVERY_SOURCE,
    chatgpt_base_url: { column: 'base_url', kind: 'text' },
    team_account_id: { column: 'team_account_id', kind: 'text' },
  },
}

type Setting = { setting_path: string; stored_value: string; update_time: number; updated_by: number | null }

async function moveValues(trx: Transaction, source: string, columns: Columns): Promise<void> {
  const { rows } = await sql<Setting>`
    select setting_path, setting_value as stored_value, update_time, updated_by from stored_settings`.execute(trx)
  const set: Record<string, { by: number | null; time: number }> = {}
  for (const { setting_path, stored_value, update_time, updated_by } of rows) {
    const [section, key = ''] = setting_path.split('.')
    const moved = section === source ? columns[key] : undefined
    if (moved === undefined) continue
    const value: unknown = JSON.parse(stored_value)
    await sql`delete from stored_settings where setting_path = ${setting_path}`.execute(trx)
    // What is no such value was not in force either.
    if (!isOfKind(value, moved.kind)) continue
    await sql`update upstreams set ${sql.ref(moved.column)} = ${value} where source = ${source} and is_first`.execute(
      trx,
    )
    set[moved.column] = { by: updated_by, time: update_time }
  }
  if (Object.keys(set).length > 0)
    await sql`update upstreams set values_set = ${JSON.stringify(set)} where source = ${source} and is_first`.execute(
      trx,
    )
}

function isOfKind(value: unknown, kind: 'text' | 'int'): boolean {
  if (value === null) return true
  return kind === 'text' ? typeof value === 'string' : Number.isSafeInteger(value)
}
