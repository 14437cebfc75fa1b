import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { SystemInfo } from '#contract/statistics.ts'
import { countPeople } from '#server/users/store.ts'
import { countConversations } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'

export type SystemInformation = ReturnType<typeof openSystemInformation>

type Dependencies = { open: OpenDatabase; clock: Clock; data_dir: string }

/** Counts of the portal, the start of this process, and the disk space that its data use and have left. */
export function openSystemInformation({ open, clock, data_dir }: Dependencies) {
  const startup_time = clock.now() / 1000

  return async (): Promise<SystemInfo> => {
    const [{ all, ...active }, { total, valid }, bytes, disk] = await Promise.all([
      countPeople(open.readOnly(), clock.now()),
      countConversations(open.readOnly()),
      databaseBytes(open),
      diskOf(data_dir),
    ])
    return {
      startup_time,
      total_user_count: all,
      active,
      total_conversation_count: total,
      valid_conversation_count: valid,
      database: { engine: open.engine, bytes },
      disk,
    }
  }
}

/** Bytes of the database without its write-ahead log. */
async function databaseBytes(open: OpenDatabase): Promise<number | null> {
  const size =
    open.engine === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select cast(pg_database_size(current_database()) as double precision) as bytes`
  const { rows } = await size.execute(open.readOnly())
  return rows[0]?.bytes ?? null
}

/** Null when the system does not tell. */
async function diskOf(folder: string): Promise<SystemInfo['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch {
    return null
  }
}
