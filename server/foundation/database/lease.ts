import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { OpenDatabase } from './open.ts'
import { newId } from '../ids.ts'

export type LeaseClock = { now(): number; set(): Promise<void> }

/**
 * The clock by which leases are given and end: the database's, where it has one. Processes whose clocks differ would
 * otherwise treat each other's work as abandoned.
 */
export function leaseClock(open: OpenDatabase, clock: Clock): LeaseClock {
  let ahead = 0
  return {
    now: () => clock.now() + ahead,
    /** Reads the database's clock. Its error is at most half of the round trip. */
    async set(): Promise<void> {
      const before = clock.now()
      const there = await timeOfDatabase(open)
      if (there !== null) ahead = Math.round(there - (before + clock.now()) / 2)
    },
  }
}

/** Names this process as the holder of leases; never the same again, not even on the same machine. */
export const newHolder = (): string => `${hostname()}-${process.pid}-${newId()}`

/** Milliseconds since 1970 by the clock of the database server; null where the database has none of its own. */
export async function timeOfDatabase({ database, engine }: OpenDatabase): Promise<number | null> {
  if (engine === 'sqlite') return null
  const { rows } = await sql<{ time: number }>`select extract(epoch from clock_timestamp()) * 1000 as time`.execute(
    database,
  )
  return Number(rows[0]?.time)
}
