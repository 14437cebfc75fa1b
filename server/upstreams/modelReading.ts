import { isDeepStrictEqual } from 'node:util'
import type { ReadModels } from '#contract/configuration/configuration.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { enabledModels, type ListedModel } from '#server/configuration/models.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Job } from '#server/foundation/jobs/job.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { digestOf, keptOf, withEarlier } from './listing.ts'
import type { SharedUpstream } from './settingsView.ts'
import { modelStore, type UpstreamRow, upstreamStore } from './store.ts'
import type { Upstreams } from './upstreams.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const JOB = 'models of endpoints'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  bus: Bus
  log: Log
  jobs: Jobs
  providers: Providers
  upstreams: Upstreams
  configuration: Pick<ConfigurationService, 'current'>
  prices: {
    /** Keeps what a list says that its models cost. */
    keepRead(trx: Transaction, upstream_id: number, models: readonly ListedModel[]): Promise<void>
    announce(): Promise<void>
  }
}

export type ModelReading = ReturnType<typeof openModelReading>

/**
 * The models of shared endpoints: read at the start, daily, when address or key change, and on request; stored, so that
 * the last list counts while an endpoint cannot be reached, after a restart and in other processes.
 */
export function openModelReading(given: Dependencies) {
  const { open, clock, bus, log, jobs, providers, upstreams, configuration, prices } = given
  const store = upstreamStore(open.database)
  const closing = new AbortController()
  /** The address and key by which the models of each endpoint were read last, as JSON. */
  const reached = new Map<number, string>()

  /** Whether the models of an endpoint are read. Where the settings name them, not those of OpenAI itself. */
  function isListed({ source, modelsBy, base_url, enabled }: SharedUpstream): boolean {
    if (source !== 'openai_api') return false
    return modelsBy === 'settings' ? base_url !== null && configuration.current().openai_api.enabled : enabled
  }
  const listed = (): SharedUpstream[] => upstreams.snapshot.rows().filter(isListed)
  const hasItsKey = (row: SharedUpstream): boolean => upstreams.reach(row).unusable === undefined

  function isDue(row: SharedUpstream): boolean {
    const { models_digest, models_read_time } = row
    // The job runs a day after it ended, so that models are due a little earlier.
    return (
      models_read_time === null ||
      clock.now() - models_read_time > DAY - HOUR ||
      models_digest !== digestOf(upstreams.reach(row).base_url)
    )
  }

  /** Gives how many models the endpoint lists. */
  async function read(row: SharedUpstream, signal: AbortSignal): Promise<number> {
    const endpoint = upstreams.reach(row)
    const models = await requirePort(providers.openai_api, 'models')(
      endpoint,
      AbortSignal.any([signal, closing.signal]),
    )
    const models_digest = digestOf(endpoint.base_url)
    await open.transaction(async trx => {
      const current = await upstreamStore(trx).findForUpdate(row.id, open.engine)
      if (current === undefined) return
      // A change of address or key that came meanwhile leaves the models due.
      const models_read_time = isDeepStrictEqual(upstreams.reach(row), endpoint) ? clock.now() : null
      await keepList(trx, current, models, { models_digest, models_read_time })
      await prices.keepRead(trx, row.id, models)
    })
    await Promise.all([upstreams.snapshot.reload(), prices.announce()])
    bus.publish('upstreams')
    const offered = enabledModels(upstreams.configuration(), 'openai_api').length
    log.info({ upstream_id: row.id, listed: models.length, offered }, 'the models of an endpoint were read')
    return models.length
  }

  /** When some fail, the others are read all the same, and the job fails, so that it is repeated soon. */
  async function readDue(signal: AbortSignal): Promise<{ read: number }> {
    const due = listed().filter(row => isDue(row) && hasItsKey(row))
    const failures: unknown[] = []
    for (const row of due) {
      await read(row, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        failures.push(error)
        // What came of a request is a line of the log already (server/providers/providers.ts).
        const reason = error instanceof Refusal ? { refusal: error.key, ...error.values } : { err: error }
        log.warn(
          { upstream_id: row.id, ...reason },
          'the models of an endpoint could not be read: those of the last time are offered, if there was one',
        )
      })
    }
    if (failures.length > 0) throw failures[0]
    return { read: due.length }
  }

  /** Reads the models of endpoints whose address or key has changed. */
  async function readChanged(): Promise<void> {
    const changed = listed().filter(row => reached.get(row.id) !== JSON.stringify(upstreams.reach(row)))
    for (const row of changed) reached.set(row.id, JSON.stringify(upstreams.reach(row)))
    if (changed.length === 0) return
    await store.makeDue(changed.map(({ id }) => id))
    await upstreams.snapshot.reload()
    await jobs.start(JOB)
  }

  let reading: Promise<void> = Promise.resolve()
  const noticeChanges = (): void => {
    reading = reading
      .then(readChanged)
      .catch((error: unknown) => log.warn({ err: error }, 'the models of endpoints could not be looked at'))
  }

  const job: Job = { name: JOB, every: DAY, run: ({ signal }) => readDue(signal) }
  const leave: (() => void)[] = []

  return {
    job,

    /** Reads in the background, at once and after each change. */
    begin(): void {
      leave.push(upstreams.onChange(noticeChanges))
      noticeChanges()
    },

    /** After a change of the settings. */
    noticeChanges,

    isListed,

    /** Reads the models of one endpoint now. Throws its refusal. */
    read,

    /** Reads those that the settings name now. */
    async readAgain(): Promise<ReadModels> {
      const ofSettings = listed().find(({ modelsBy }) => modelsBy === 'settings')
      const count = ofSettings === undefined ? null : await read(ofSettings, closing.signal)
      return { listed: count, models: upstreams.choices('openai_api') }
    },

    async close(): Promise<void> {
      for (const each of leave) each()
      closing.abort()
      await reading
    },
  }
}

async function keepList(
  trx: Transaction,
  { id, models_picked }: UpstreamRow,
  models: readonly ListedModel[],
  read: Parameters<ReturnType<typeof modelStore>['keep']>[2],
): Promise<void> {
  const before = await modelStore(trx).listOf(id)
  const picked = models_picked ? before.filter(({ offered }) => offered) : null
  await modelStore(trx).keep(id, withEarlier(keptOf(models, picked), before), read)
}
