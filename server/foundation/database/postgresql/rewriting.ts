import type pg from 'pg'
import { tables } from '../schema/schema.ts'

/** Bytes of a table, with its indexes, that is written anew: nobody else reads it meanwhile. */
const MAX_REWRITTEN = 64 * 1024 * 1024

/** Milliseconds that everybody who wants the table waits behind this at most. */
const MAX_WAIT = 1_000
/** The table was not free within that time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Vacuums every table. Rows that were deleted stay in the pages of a vacuumed table until others take their place: so
 * one that is small is written anew. False where one is too large for that, or was not free.
 */
export async function rewriteTables(pool: Pick<pg.Pool, 'connect'>): Promise<boolean> {
  const client = await pool.connect()
  let isWhole = true
  try {
    await client.query(
      `select set_config('statement_timeout', '0', false), set_config('lock_timeout', '${MAX_WAIT}', false)`,
    )
    for (const name of Object.keys(tables)) {
      const isSmall = (await sizeOf(client, name)) <= MAX_REWRITTEN
      const isRewritten = isSmall && (await isDone(client, `vacuum (full) "${name}"`))
      if (!isRewritten) await isDone(client, `vacuum "${name}"`)
      isWhole &&= isRewritten
    }
  } finally {
    // A connection with other limits goes back to nobody.
    client.release(true)
  }
  return isWhole
}

async function sizeOf(client: pg.PoolClient, name: string): Promise<number> {
  const { rows } = await client.query<{ size: number }>(`select pg_total_relation_size('"${name}"') as size`)
  return Number(rows[0]?.size ?? Infinity)
}

async function isDone(client: pg.PoolClient, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE) return false
    throw cause
  }
}
