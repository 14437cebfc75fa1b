import {
  fromMillionths,
  type ModelPrice,
  type PriceChange,
  toMillionths,
  type UpstreamPrices,
} from '#contract/prices.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import { type AuditValues, changedFields, recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/database/bus.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type NamedModel, sameModel } from '../capabilities.ts'
import { type UpstreamRow, upstreamStore } from '../store.ts'
import type { Upstreams } from '../upstreams.ts'
import { isUnknown, type Price } from './price.ts'
import { type PriceRow, priceStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Pick<Clock, 'now'>
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'served' | 'requireShared' | 'nameAt' | 'find'>
}

export type Prices = Awaited<ReturnType<typeof openPrices>>

/** The currency of prices that endpoints list. */
const LISTED_CURRENCY = 'USD'

/** What models cost, in memory. It follows what other processes store; what held before is kept. */
export async function openPrices(given: Dependencies) {
  const { open, bus, clock, configuration, upstreams } = given
  let byUpstream = new Map<number, PriceRow[]>()

  const { reload, idle } = inOrder(async () => {
    byUpstream = Map.groupBy(await priceStore(open.database).list(), ({ upstream_id }) => upstream_id)
  })
  await reload()
  const leave = keepUpToDate({ open, bus, topic: 'prices', what: 'the prices of models', reload, byCommands: true })

  const rowsOf = (upstream_id: number): readonly PriceRow[] => byUpstream.get(upstream_id) ?? []

  async function announce(): Promise<void> {
    await reload()
    bus.publish('prices')
  }

  function view(id: number): UpstreamPrices {
    const row = upstreams.requireShared(id)
    const [rows, now] = [rowsOf(id), clock.now()]
    const models = upstreams.served(row)
    const coming = rows.filter(({ from_time, is_read }) => from_time > now && !is_read)
    return {
      currency: configuration().money.currency,
      prices: models.map(model => shown(model, inForce(rows, model, now))),
      coming: coming.map(each =>
        shown(sameModel(models, { code: each.model, name: each.model }) ?? nameless(each), each),
      ),
    }
  }

  return {
    /** What a model of a shared upstream costs, or cost at a moment; null where nobody knows. */
    of(upstream_id: number, model: string, time: number): Price | null {
      const rows = byUpstream.get(upstream_id)
      if (rows === undefined) return null
      const upstream = upstreams.find(upstream_id)
      const name = (upstream === null ? null : upstreams.nameAt(upstream, model)) ?? model
      return inForce(rows, { code: model, name }, time)
    },

    read: view,

    async save(id: number, changes: readonly PriceChange[], expected: readonly PriceChange[] | null) {
      const models = upstreams.served(upstreams.requireShared(id))
      await open.transaction(async trx => {
        // The lock lets two administrators see each other's changes.
        const upstream = await upstreamStore(trx).findForUpdate(id, open.engine)
        if (upstream === undefined) throw new Refusal('upstreamNotFound')
        const [rows, now] = [await priceStore(trx).listOf(id), clock.now()]
        for (const each of expected ?? []) requireUnchanged(rows, modelOf(models, each), { each, now })
        const added = changes.flatMap(each => changedRow(rows, modelOf(models, each), { id, each, now }))
        await priceStore(trx).add(added)
        await recordChange(trx, upstream, rows, added)
      })
      await announce()
      return view(id)
    },

    /** Keeps what an endpoint lists. What is set by hand goes before it. */
    async keepRead(trx: Transaction, upstream_id: number, models: readonly ListedModel[]): Promise<void> {
      if (configuration().money.currency !== LISTED_CURRENCY) return
      const known = (await priceStore(trx).listOf(upstream_id)).filter(({ is_read }) => is_read)
      const latest = new Map(known.map(row => [row.model, row]))
      const rows = models.flatMap(({ id: model, price: listed }) => {
        const [before, price] = [latest.get(model), { ...NOT_KNOWN, ...listed }]
        if (isSame(before ?? NOT_KNOWN, price)) return []
        return [{ ...price, upstream_id, model, from_time: clock.now(), is_read: true }]
      })
      await priceStore(trx).add(rows)
    },

    announce,

    async close(): Promise<void> {
      leave()
      await idle()
    },
  }
}

/** Written down by model, as people see prices. */
async function recordChange(
  trx: Transaction,
  { id, label }: UpstreamRow,
  rows: readonly PriceRow[],
  added: readonly Omit<PriceRow, 'id'>[],
): Promise<void> {
  const before = (row: Omit<PriceRow, 'id'>) =>
    audited(inForce(rows, { code: row.model, name: row.model }, row.from_time) ?? NOT_KNOWN)
  const changed = changedFields(
    Object.fromEntries(added.map(row => [row.model, before(row)])),
    Object.fromEntries(added.map(row => [row.model, audited(row)])),
  )
  if (changed === null) return
  await recordAudit(trx, { action: 'price.changed', subject: { kind: 'upstream', id, name: label }, ...changed })
}

const audited = (price: Price): Omit<PriceChange, 'model' | 'from'> => {
  const { input, cached_input, output, picture, free } = shown({ code: '', name: '' }, price)
  return { input, cached_input, output, picture, free }
}

type UndoneChange = { subject_id: string; before: AuditValues; after: AuditValues }

/** Sets prices to what they were before a change, from now on; refused when they are not as that change left them. */
export const undoingPrices =
  ({ save }: Pick<Prices, 'save'>) =>
  async ({ subject_id, before, after }: UndoneChange): Promise<void> => {
    const changes = (values: AuditValues) =>
      Object.entries(values).map(([model, price]) => ({ ...(price as ReturnType<typeof audited>), model })) // as written
    await save(Number(subject_id), changes(before), changes(after))
  }

const modelOf = (models: readonly NamedModel[], { model }: Pick<PriceChange, 'model'>): NamedModel =>
  sameModel(models, { code: model, name: model }) ?? { code: model, name: model }

const nameless = ({ model }: PriceRow): NamedModel => ({ code: model, name: model })

/** The latest that holds: what was set by hand, unless that says that nothing is known, else what was read. */
function inForce(rows: readonly PriceRow[], { code, name }: NamedModel, time: number): PriceRow | null {
  const holding = rows.filter(row => row.from_time <= time && (row.model === code || row.model === name))
  const byHand = holding.findLast(({ is_read }) => !is_read)
  const found = byHand === undefined || isUnknown(byHand) ? holding.findLast(({ is_read }) => is_read) : byHand
  return found === undefined || isUnknown(found) ? null : found
}

const FIELDS = ['input', 'cached_input', 'output', 'picture', 'free'] as const

const isSame = (one: Price, other: Price): boolean => FIELDS.every(field => one[field] === other[field])

const NOT_KNOWN: Price = { input: null, cached_input: null, output: null, picture: null, free: false }

const priceOf = ({ input, cached_input, output, picture, free }: PriceChange): Price => ({
  input: input === null ? null : toMillionths(input),
  cached_input: cached_input === null ? null : toMillionths(cached_input),
  output: output === null ? null : toMillionths(output),
  picture: picture === null ? null : toMillionths(picture),
  free,
})

type OfModel = { each: PriceChange; now: number }

function requireUnchanged(rows: readonly PriceRow[], model: NamedModel, { each, now }: OfModel): void {
  if (!isSame(inForce(rows, model, now) ?? NOT_KNOWN, priceOf(each)))
    throw new Refusal(
      'changedMeanwhile',
      {},
      { detail: [{ loc: ['body', 'prices', model.code], msg: '', type: 'changed' }] },
    )
}

/** What is sent back as it was shown changes nothing, and stays what was read. */
function changedRow(
  rows: readonly PriceRow[],
  model: NamedModel,
  { id: upstream_id, each, now }: OfModel & { id: number },
): Omit<PriceRow, 'id'>[] {
  const price = priceOf(each)
  const from_time = Math.max(now, each.from === undefined ? now : Date.parse(each.from))
  if (isSame(inForce(rows, model, from_time) ?? NOT_KNOWN, price)) return []
  return [{ ...price, upstream_id, model: model.code, from_time, is_read: false }]
}

function shown({ code, name }: NamedModel, row: (Price & Partial<PriceRow>) | null): ModelPrice {
  const amount = (millionths: number | null | undefined) => (millionths == null ? null : fromMillionths(millionths))
  return {
    model: code,
    name,
    input: amount(row?.input),
    cached_input: amount(row?.cached_input),
    output: amount(row?.output),
    picture: amount(row?.picture),
    free: row?.free ?? false,
    by: row === null ? null : row.is_read ? 'read' : 'hand',
    from: row?.from_time === undefined ? null : new Date(row.from_time).toISOString(),
  }
}
