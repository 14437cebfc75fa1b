import { sql } from 'kysely'
import type { Transaction } from '../schema/schema.ts'
import type { Migration } from './migration.ts'

/** What remains was all that was stored of a count. Less what was used since it was set, which the ledger knows. */
const allowedOf = (remaining: string, of: 'of_total' | 'of_model', table: string) => {
  const rows = (name: string) => `ask_ledger as ${name} where ${name}.user_id = ${table}.user_id
    and ${name}.source = ${table}.source and ${name}.${of}${of === 'of_model' ? ` and ${name}.model = ${table}.model` : ''}`
  return `case when ${remaining} < 0 then ${remaining} else ${remaining} - coalesce((select sum(entry.change)
    from ${rows('entry')} and entry.id > coalesce((select max(last_set.id) from ${rows('last_set')} and last_set.reason = 'set'), 0)), 0) end`
}

/** People are searched by a folded text, and how much is allowed is stored beside what remains of it. */
export const usersAtScale: Migration = {
  version: 14,
  name: '014-users-at-scale',
  statements: engine => {
    const int = engine === 'sqlite' ? 'integer' : 'bigint'
    return [
      `alter table "users" add column "search_text" text${engine === 'postgresql' ? ' collate "C"' : ''} not null default ''`,
      `alter table "user_source_settings" add column "total_ask_allowed" ${int} not null default -1`,
      `alter table "user_model_ask_counts" add column "ask_allowed" ${int} not null default -1`,
      `update user_source_settings set total_ask_allowed = ${allowedOf('total_ask_count', 'of_total', 'user_source_settings')}`,
      `update user_model_ask_counts set ask_allowed = ${allowedOf('ask_count', 'of_model', 'user_model_ask_counts')}`,
      // No less than what remains, whatever the ledger says.
      'update user_source_settings set total_ask_allowed = total_ask_count where total_ask_allowed < total_ask_count',
      'update user_model_ask_counts set ask_allowed = ask_count where ask_allowed < ask_count',
    ]
  },
  finish: fillSearchTexts,
}

async function fillSearchTexts(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ id: number; nickname: string; username: string; email: string; remark: string | null }>`
    select id, nickname, username, email, remark from users`.execute(trx)
  for (const { id, nickname, username, email, remark } of rows) {
    const text = [nickname, username, email, remark ?? ''].join('\n').normalize('NFKC').toLowerCase()
    await sql`update users set search_text = ${text} where id = ${id}`.execute(trx)
  }
}
