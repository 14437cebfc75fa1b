import { describe, expect, test } from 'vitest'
import { tables } from '#server/foundation/database/schema/schema.ts'
import { mayName, namedTables, OWNERS, ownerOf } from './ownership.ts'
import { sourcesOf } from './sources.ts'

const named = namedTables(sourcesOf('server'))

describe('a table', () => {
  test.each(Object.keys(tables))('%s has an owner, who names it', table => {
    expect(named.filter(each => each.table === table).some(({ path }) => path.startsWith(`${ownerOf(table)}/`))).toBe(
      true,
    )
  })
  test.each(Object.keys(OWNERS))('%s is named in queries of its owner alone', table => {
    const strangers = named.filter(each => each.table === table && !mayName(each)).map(({ path }) => path)
    expect(strangers, `${table} belongs to ${ownerOf(table)}, which may export a subquery to be joined`).toEqual([])
  })
})

describe('the names of tables', () => {
  const of = (text: string) =>
    namedTables([{ path: 'server/limits/store.ts', text, lines: 1 }])
      .map(({ table }) => table)
      .toSorted()

  test('are found in each kind of query', () => {
    expect(of(`database.selectFrom('asks as a').innerJoin('users', 'users.id', 'a.user_id')`)).toEqual([
      'asks',
      'users',
    ])
    expect(of(`database.selectFrom(['messages', 'sessions as s'])`)).toEqual(['messages', 'sessions'])
    expect(of(`trx.insertInto('ask_chunks').values(row)`)).toEqual(['ask_chunks'])
    expect(of(`trx.updateTable('user_credits').set({ credits }).from('queues')`)).toEqual(['queues', 'user_credits'])
    expect(of(`trx.deleteFrom('ask_ledger').using('ask_logs')`)).toEqual(['ask_ledger', 'ask_logs'])
    expect(of(`({ exists, selectFrom }) => exists(selectFrom('asks').select('ask_id'))`)).toEqual(['asks'])
  })
  test('are found in SQL', () => {
    expect(of('sql`select count(*) from conversations join messages using (conversation_id)`')).toEqual([
      'conversations',
      'messages',
    ])
    expect(of(`run('update "users" set nickname = null')`)).toEqual(['users'])
  })
  test('are no words of other texts', () => {
    expect(of(`say('users and their asks'); log.info({ asks }, 'messages were sent')`)).toEqual([])
  })
})
