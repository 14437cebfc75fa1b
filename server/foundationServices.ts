import type { StartConfiguration } from '#server/configuration/start.ts'
import { type Clock, systemClock } from '#server/foundation/clock.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import { requireNewestSchema } from '#server/foundation/database/migrate.ts'
import { openDatabase } from '#server/foundation/database/open.ts'
import { claimDataFolder } from '#server/foundation/database/sqlite/database.ts'
import type { ReadFileTexts } from '#server/foundation/search/search.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { ForgetText } from '#server/files/ownFiles.ts'
import { searchedTextsOf } from '#server/files/searchedTexts.ts'
import { openJobs } from '#server/foundation/jobs/jobs.ts'
import type { Log } from '#server/foundation/logging.ts'
import { openMetrics } from '#server/foundation/metrics.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import { openSearchQueue } from '#server/foundation/search/searchQueue.ts'
import { openSecretBox } from '#server/foundation/secrets.ts'

export type Foundation = Awaited<ReturnType<typeof openFoundation>>

type FoundationOptions = {
  start: StartConfiguration
  env: NodeJS.ProcessEnv
  log: Log
  clock?: Clock
  for_command?: boolean
}

/** The database and what every service is given beside it. */
export async function openFoundation({ start, env, log, clock = systemClock, for_command = false }: FoundationOptions) {
  const { data, http, common } = start.configuration
  // What an administrator stored is known when the database is open; until then the start configuration says.
  let areStatementsPrinted = common.print_sql
  const claims = data.database_url === null && !for_command
  const releaseFolder = claims ? claimDataFolder(data.data_dir) : () => undefined
  const open = await openDatabase(
    data.database_url === null ? { data_dir: data.data_dir } : { database_url: data.database_url },
    {
      migrate: data.run_migration && !for_command,
      onStatement: sql => {
        if (areStatementsPrinted) log.info({ sql }, 'statement')
      },
    },
  )
  if (!data.run_migration || for_command) await requireNewestSchema(open)
  const bus = await openBus(open)
  const outbound = openOutbound()
  const searchQueue = openSearchQueue({ open, log, readFileTexts })
  return {
    open,
    bus,
    outbound,
    clock,
    log,
    jobs: openJobs({ open, bus, clock, log }),
    searchQueue,
    secretBox: openSecretBox(data.data_dir, env),
    metrics: openMetrics({ ofProcess: http.metrics_token !== null }),

    printStatements(isWanted: boolean): void {
      areStatementsPrinted = isWanted
    },

    async close(): Promise<void> {
      await outbound.close()
      await searchQueue.close()
      await bus.close()
      await open.close()
      releaseFolder()
    },
  }
}

/** Of a conversation’s own person alone: an import may name any file. */
export const readFileTexts: ReadFileTexts = async (database, conversation_id, file_ids) => {
  const user_id = (await conversationStore(database).find(conversation_id))?.user_id ?? null
  return user_id === null ? new Map() : searchedTextsOf(database, user_id, file_ids)
}

/** Questions that a file went with are indexed anew, without what it said. */
export const forgettingText =
  ({ add, wake }: Foundation['searchQueue']): ForgetText =>
  async (trx, { uploader_id, file_id }) => {
    const keys = await messageStore(trx).keysWithFile(uploader_id, file_id)
    if (keys.length === 0) return
    await add(trx, keys)
    wake()
  }
