import { describe, expect, onTestFinished, test } from 'vitest'
import { aPostgresqlAddress } from '#testing/database.ts'
import { pooler, refusingServer } from '#testing/pooler.ts'
import { openDatabase } from '../open.ts'

async function refusalBehind(options: Parameters<typeof pooler>[1]): Promise<string> {
  const between = await pooler(await aPostgresqlAddress(), options)
  onTestFinished(between.close)
  const opened = await openDatabase({ database_url: between.url }).catch((error: unknown) => error)
  if (!(opened instanceof Error)) throw new Error('it was opened')
  return String(opened)
}

async function refusedWith(code: string, text: string): Promise<string> {
  const server = await refusingServer(code, text)
  onTestFinished(server.close)
  return String(await openDatabase({ database_url: server.url }).catch((error: unknown) => error))
}

describe('a pooler before PostgreSQL', () => {
  test.each([
    { mode: 'transaction', size: 1 },
    { mode: 'transaction', size: 5 },
    { mode: 'transaction', size: 5, order: 'turn' },
  ] as const)('without sessions is refused, with what helps: $mode, $size connections, $order', async options => {
    expect(await refusalBehind(options)).toMatch(
      /cannot be used: a pooler in transaction mode is in between, which has no sessions\. Give DATABASE_URL the address of PostgreSQL itself .* session mode/,
    )
  })
  test('in statement mode is refused as well', async () => {
    expect(await refusalBehind({ mode: 'statement', size: 5 })).toMatch(
      /a pooler in statement mode is in between, which takes no transactions .*pool_mode = session/,
    )
  })
  test('is sent no parameter of the connection that poolers refuse, and time is limited all the same', async () => {
    const open = await openDatabase({ database_url: await aPostgresqlAddress() })
    onTestFinished(() => open.close())
    const sources = open.database
      .selectFrom('pg_settings' as never)
      .select(['name', 'source'] as never)
      .where('name' as never, 'in', [
        'statement_timeout',
        'lock_timeout',
        'idle_in_transaction_session_timeout',
      ] as never)
    expect((await sources.execute()).map(row => (row as { source: string }).source)).toEqual([
      'session',
      'session',
      'session',
    ])
  })
})

describe('what a server or a pooler refuses', () => {
  test.each([
    [
      '08P01',
      'unsupported startup parameter: extra_float_digits',
      'PgBouncer: ignore_startup_parameters = extra_float_digits',
    ],
    ['08P01', 'unsupported startup parameter in options: search_path', 'takes no parameter search_path'],
    [
      '42704',
      'unrecognized configuration parameter "stement_timeout"',
      'DATABASE_URL sets stement_timeout in its options',
    ],
    ['22023', 'invalid value for parameter "TimeZone": "Moon"', 'DATABASE_URL sets TimeZone in its options'],
    ['XX000', 'Tenant or user not found', '<role>.<project>'],
    ['08P01', 'no such database: commons', 'The pooler has no database of that name'],
    ['08P01', 'no more connections allowed (max_client_conn)', 'takes up to 11 connections'],
    ['08P01', 'query_wait_timeout', 'takes up to 11 connections'],
    ['53300', 'sorry, too many clients already', 'takes up to 11 connections'],
    ['57P03', 'the database system is starting up', 'starting or stopping'],
  ])('is named with what helps, and no network is blamed: %s %s', async (code, text, help) => {
    const said = await refusedWith(code, text)
    expect(said).toContain(text)
    expect(said).toContain(help)
    expect(said).not.toContain('firewall')
  })
  test('without a known remedy blames no network either', async () => {
    expect(await refusedWith('08P01', 'server login has been failing, timeout or terminated')).not.toContain('firewall')
  })
})
