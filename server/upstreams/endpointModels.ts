import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { requestAddress } from '#contract/baseAddress.ts'
import type { Configuration, ReadModels } from '#contract/configuration.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { codeOf, type ListedModel, withListedModels } from '#server/configuration/listedModels.ts'
import { enabledModels } from '#server/configuration/models.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readModels } from '#server/providers/openai_api/modelList.ts'
import type { ProviderEndpoint } from '#server/providers/provider.ts'
import { type ModelRow, upstreamStore } from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Models that are kept: more than anybody chooses from. Those that do not chat are kept for a mapping that names one. */
const MOST_KEPT = { chat: 1_000, other: 200 }

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  bus: Bus
  log: Log
  outbound: Outbound
  configuration: Pick<ConfigurationService, 'current' | 'originOf'>
  /** The shared endpoint as it is asked now. */
  endpoint(): ProviderEndpoint
  upstream_id(): number
}

type Lists = ReadonlyMap<string, readonly ListedModel[]>

export type EndpointModels = Awaited<ReturnType<typeof openEndpointModels>>

/**
 * The models of the shared endpoint, where it has an address of its own: read at the start, daily, when address or key change, and on
 * request; stored, so that the last list counts while the endpoint cannot be reached, after a restart and in other processes.
 */
export async function openEndpointModels({
  open,
  clock,
  bus,
  log,
  outbound,
  configuration,
  endpoint,
  upstream_id,
}: Dependencies) {
  const store = upstreamStore(open.database)
  const closing = new AbortController()
  /** What was listed at which address. */
  let lists: Lists = new Map()
  let merged: { from: Configuration; by: Lists; configuration: Configuration } | null = null
  let asked = ''
  let next = Number.POSITIVE_INFINITY
  let failures = 0
  let latest: Promise<unknown> = Promise.resolve()
  let waiting: Promise<number> | null = null

  const hasAddress = () =>
    configuration.current().openai_api.openai_base_url !== null && configuration.current().openai_api.enabled

  const reload = async (): Promise<void> => {
    const [upstreams, models] = await Promise.all([store.listShared(), store.listModels()])
    const stored: Lists = new Map(
      upstreams.flatMap(({ id, models_digest }) =>
        models_digest === null ? [] : [[models_digest, models.filter(each => each.upstream_id === id).map(listedOf)]],
      ),
    )
    if (!isDeepStrictEqual(stored, lists)) lists = stored
  }
  const reloadLater = (): void => {
    reload().catch(cause => process.emitWarning(new Error('the stored models could not be read', { cause })))
  }

  /** One after the other, so that each is asked with the address and key of its time; who comes while one waits shares it. */
  const read = (): Promise<number> => {
    if (waiting !== null) return waiting
    const reading = latest.then(() => {
      waiting = null
      return readNow()
    })
    waiting = reading
    latest = reading.catch(() => {})
    return reading
  }

  const readNow = async (): Promise<number> => {
    const to = endpoint()
    asked = JSON.stringify(to)
    try {
      const models = await readModels(outbound, to, closing.signal)
      const read = { models_digest: digestOf(to.base_url), models_read_time: clock.now() }
      await open.transaction(trx => upstreamStore(trx).keepModels(upstream_id(), kept(models), read))
      await reload()
      bus.publish('listed models')
      failures = 0
      next = clock.now() + DAY
      log.info(
        { listed: models.length, offered: enabledModels(current(), 'openai_api').length },
        'the models of the endpoint were read',
      )
      return models.length
    } catch (error) {
      // Soon again at first: it may be starting together with the portal.
      next = clock.now() + Math.min(MINUTE * 2 ** Math.min(failures++, 6), HOUR)
      throw error
    }
  }

  const readInBackground = (): void => {
    read().catch((error: unknown) => {
      if (closing.signal.aborted) return
      const reason =
        error instanceof Refusal ? { refusal: error.key, ...error.values, err: error.cause } : { err: error }
      log.warn(
        reason,
        'the models of the endpoint could not be read: those of the last time are offered, if there was one',
      )
    })
  }

  const look = (): void => {
    if (hasAddress() && (JSON.stringify(endpoint()) !== asked || clock.now() >= next)) readInBackground()
  }

  function current(): Configuration {
    const from = configuration.current()
    if (merged?.from === from && merged.by === lists) return merged.configuration
    const { openai_base_url } = from.openai_api
    const listed = openai_base_url === null ? null : (lists.get(digestOf(openai_base_url)) ?? null)
    const picked = configuration.originOf('openai_api.enabled_models') !== 'default'
    merged = { from, by: lists, configuration: withListedModels(from, listed, picked) }
    return merged.configuration
  }

  await reload()
  const leave = [bus.subscribe('listed models', reloadLater), bus.subscribe('credentials', look)]
  let timer: NodeJS.Timeout | undefined

  return {
    /** The configuration with the endpoint's models; the same object until something changes. */
    current,

    /** Nobody waits for the first answer. */
    begin(): void {
      look()
      timer = setInterval(() => {
        // A wake-up from another process may have been lost.
        if (open.engine === 'postgresql') reloadLater()
        look()
      }, MINUTE).unref()
    },

    /** After a change of the configuration. */
    look,

    async readAgain(): Promise<ReadModels> {
      const listed = hasAddress() ? await read() : null
      return { listed, models: enabledModels(current(), 'openai_api') }
    },

    async close(): Promise<void> {
      clearInterval(timer)
      for (const each of leave) each()
      closing.abort()
      await latest
    },
  }
}

function digestOf(base_url: string): string {
  return createHash('sha256').update(requestAddress(base_url, 'models')).digest('hex')
}

function kept(models: readonly ListedModel[]): Omit<ModelRow, 'upstream_id' | 'position'>[] {
  const chat = models.filter(model => model.for_chat).slice(0, MOST_KEPT.chat)
  const all = [...chat, ...models.filter(model => !model.for_chat).slice(0, MOST_KEPT.other)]
  const byCode = new Map(all.map(model => [codeOf(model.id), model]))
  return [...byCode].map(([code, { id, context_length, for_chat }]) => ({
    code,
    name: id,
    label: null,
    context_length,
    offered: for_chat,
  }))
}

const listedOf = ({ name, context_length, offered }: ModelRow): ListedModel => ({
  id: name,
  context_length,
  for_chat: offered,
})
