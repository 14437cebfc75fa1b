import { sql } from 'kysely'
import type { OpenDatabase } from './open.ts'

/** Milliseconds since 1970 by the clock of the database server; null where the database has none of its own. */
export async function timeOfDatabase({ database, engine }: OpenDatabase): Promise<number | null> {
  if (engine === 'sqlite') return null
  const { rows } = await sql<{ time: number }>`select extract(epoch from clock_timestamp()) * 1000 as time`.execute(
    database,
  )
  return Number(rows[0]?.time)
}
