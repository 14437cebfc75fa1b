import { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { inOrder, keepUpToDate } from '#server/foundation/upToDate.ts'
import { addressOf, OPENAI_BASE_URL, originOf } from './endpoints.ts'
import { digestOf } from './listing.ts'
import { type Listing, type Offers, offersOf } from './offers.ts'
import { openSecret } from './secret.ts'
import { type ModelRow, type UpstreamRow, upstreamStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  secretBox: SecretBox
  configuration: Pick<ConfigurationService, 'current' | 'originOf'>
  /** Whether the first endpoint is no real one. */
  hasNoFirst(): boolean
}

export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>

/** What is stored of shared upstreams, in memory. It follows what other processes store. */
export async function openSnapshot({ open, bus, secretBox, configuration, hasNoFirst }: Dependencies) {
  const store = upstreamStore(open.database)
  const changed = new EventEmitter().setMaxListeners(0)
  let stored: { rows: readonly UpstreamRow[]; models: readonly ModelRow[] } = { rows: [], models: [] }
  const secrets = new WeakMap<UpstreamRow, { origin: string; secret: string | null }>()
  let offers: { from: readonly unknown[]; offers: Offers } | null = null

  const { reload, idle } = inOrder(async () => {
    const [rows, models] = await Promise.all([store.listShared(), store.listModels()])
    if (isDeepStrictEqual({ rows, models }, stored)) return
    stored = { rows, models }
    changed.emit('changed')
  })

  /** The list of an address is not that of another one. */
  const modelsOf = (row: UpstreamRow, address: string | null): readonly ModelRow[] | null =>
    address !== null && row.models_digest === digestOf(address)
      ? stored.models.filter(model => model.upstream_id === row.id)
      : null

  function listingOf(row: UpstreamRow): Listing {
    const settings = configuration.current()
    if (row.is_first) {
      const picked = configuration.originOf('openai_api.enabled_models') !== 'default'
      return { id: row.id, picked, offersAll: true, models: modelsOf(row, settings.openai_api.openai_base_url) }
    }
    const address = addressOf(row, settings)
    const picked = row.models_picked
    const models = picked ? stored.models.filter(model => model.upstream_id === row.id) : modelsOf(row, address)
    return { id: row.id, picked, offersAll: originOf(address) !== originOf(OPENAI_BASE_URL), models }
  }

  function offersNow(): Offers {
    const from = [configuration.current(), stored, hasNoFirst()]
    if (offers !== null && offers.from.every((each, at) => each === from[at])) return offers.offers
    const endpoints = stored.rows.filter(row => row.source === 'openai_api' && row.enabled)
    const first = endpoints.find(row => row.is_first)
    if (first === undefined) throw new Error('the first endpoint is not in the database')
    const further = endpoints.filter(row => !row.is_first)
    const found = offersOf(
      configuration.current(),
      { ...listingOf(first), isDemonstration: hasNoFirst() },
      further.map(listingOf),
    )
    offers = { from, offers: found }
    return found
  }

  await reload()
  const leave = keepUpToDate({ open, bus, topic: 'upstreams', what: 'the upstreams', reload, byCommands: true })

  return {
    rows: () => stored.rows,
    offers: offersNow,
    modelsOf: (upstream_id: number) => stored.models.filter(model => model.upstream_id === upstream_id),
    reload,
    /** The secret of one beside the first; null where it has none, or none for its present address. */
    secretOf(row: UpstreamRow): string | null {
      const origin = originOf(addressOf(row, configuration.current()))
      const known = secrets.get(row)
      if (known?.origin === origin) return known.secret
      const { id, sealed_secret } = row
      const secret = sealed_secret === null ? null : openSecret(secretBox, { id, origin }, sealed_secret)
      secrets.set(row, { origin, secret })
      return secret
    },
    onChange: (listener: () => void): void => void changed.on('changed', listener),
    async close(): Promise<void> {
      leave()
      await idle()
    },
  }
}
