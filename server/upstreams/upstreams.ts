import { type Source, SOURCES } from '#contract/models.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { type EndpointsFrom, openEndpoints, type OwnEndpoint } from './endpoints.ts'
import { type UpstreamRow, upstreamStore } from './store.ts'

type Dependencies = EndpointsFrom & { open: OpenDatabase; bus: Bus }

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>

/** The accounts and keys that are asked. What is stored of shared ones is kept in memory, and follows other processes. */
export async function openUpstreams({ open, bus, ...from }: Dependencies) {
  const { configuration } = from
  const store = upstreamStore(open.database)
  const endpoints = openEndpoints(from)
  let rows: readonly UpstreamRow[] = []

  const reload = async (): Promise<void> => {
    rows = await store.listShared()
  }
  await reload()
  const leave = bus.subscribe('upstreams', () => {
    reload().catch(cause => process.emitWarning(new Error('the upstreams could not be read', { cause })))
  })

  function first(source: Source): UpstreamRow {
    const found = rows.find(row => row.source === source && row.is_first)
    if (found === undefined) throw new Error(`the first upstream of ${source} is not in the database`)
    return found
  }

  return {
    ...endpoints,

    first,

    /** Whose queue those who ask of a source wait in. */
    idOf: (source: Source, own: OwnEndpoint | null): number => own?.upstream_id ?? first(source).id,

    /** How many asks are answered at once. */
    concurrency: (source: Source): number => configuration()[source].max_completion_concurrency,

    close: leave,
  }
}
