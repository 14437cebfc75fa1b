import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DatabaseUnusable, reasonOf } from '../../databaseErrors.ts'

/**
 * How often the first connection looks for what it has set: a pooler may hand out its connections in turn, or at
 * random.
 */
const LOOKS = 4
const MARK = 'chat_commons.session'

const REMEDY =
  'Give DATABASE_URL the address of PostgreSQL itself (at hosted ones the direct connection), or of a pool in session mode ' +
  '(PgBouncer, pgcat and Odyssey: pool_mode = session; Supavisor: the port of session mode).'

/**
 * Refuses a pooler that gives each transaction or statement whatever connection of the server is free. Sessions are
 * needed: for prepared queries, for LISTEN, and for time limits. Such a pooler is known by what it does, since it calls
 * itself PostgreSQL: what one connection sets is gone there a moment later, or seen by another one. Gives the two
 * connections to the pool as `begin` leaves them.
 */
export async function requireSession(
  connect: () => Promise<pg.PoolClient>,
  begin: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const own = randomUUID()
  await using(connect, async one => {
    await mark(one, own)
    for (let look = 0; look < LOOKS; look++) if ((await markOf(one)) !== own) throw transactionMode()
    await using(connect, async other => {
      // A transaction takes the connection that is free, which is the one that was just used. With a real session it
      // has its own.
      await other.query('begin').catch(withoutTransactions)
      if ((await markOf(other)) === own) throw transactionMode()
      await other.query('rollback')
      await begin(other)
    })
    await mark(one, '')
    await begin(one)
  })
}

async function using(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await connect()
  try {
    await work(client)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

const mark = (client: pg.PoolClient, value: string) => client.query('select set_config($1, $2, false)', [MARK, value])

async function markOf(client: pg.PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>('select current_setting($1, true) as mark', [MARK])
  return rows[0]?.mark ?? null
}

const transactionMode = () =>
  new DatabaseUnusable('a pooler in transaction mode is in between, which has no sessions', { remedy: REMEDY })

function withoutTransactions(cause: unknown): never {
  if (!/transaction|statement pool/i.test(reasonOf(cause))) throw cause
  const what = `a pooler in statement mode is in between, which takes no transactions (${reasonOf(cause)})`
  throw new DatabaseUnusable(what, { cause, remedy: REMEDY })
}
