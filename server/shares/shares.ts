import type { Configuration } from '#contract/configuration/configuration.ts'
import { SOURCES, type Source } from '#contract/models.ts'
import type { Share } from '#contract/shares.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { readMemberPolicies } from '#server/limits/shares/poolMembers.ts'
import type { Pools } from '#server/limits/shares/pools.ts'
import type { OwnEndpoints } from '#server/policy/ownEndpoint.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { userStore } from '#server/users/store.ts'
import { idsToName, shareView } from './shareView.ts'

type Viewer = { id: number; is_superuser: boolean }

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'shared'>
  ownEndpoints: OwnEndpoints
  pools: Pick<Pools, 'view'>
}

/** What people see of the accounts that they share. */
export function openShares({ open, clock, configuration, upstreams, ownEndpoints, pools }: Dependencies) {
  const { nicknamesOf } = userStore(open.database)

  /** Whether somebody may ask the shared accounts of a source: an endpoint of one's own is asked in their place. */
  async function mayAsk(user_id: number, source: Source, now: number): Promise<boolean> {
    if ((await ownEndpoints(user_id, source)) !== null) return false
    const asked = { source, user_ids: [user_id], configuration: configuration(), now }
    return (await readMemberPolicies(open.readOnly(), asked)).has(user_id)
  }

  async function ofSource(source: Source, viewer: Viewer, now: number): Promise<Share[]> {
    const may_ask = await mayAsk(viewer.id, source, now)
    if (!may_ask && !viewer.is_superuser) return []
    const of = { source, viewer_id: viewer.id, may_ask, currency: configuration().money.currency }
    const shares: Share[] = []
    const known = new Set<number>()
    for (const { id } of upstreams.shared(source)) {
      if (known.has(id)) continue
      const view = await pools.view(open.readOnly(), id, { now, caller_id: may_ask ? viewer.id : null })
      if (view === null) continue
      for (const each of view.pool.upstream_ids) known.add(each)
      shares.push(shareView(view, of, await nicknamesOf(idsToName(view, viewer.id))))
    }
    return shares
  }

  return {
    /** The accounts with windows that somebody may ask; superusers see all. */
    async read(viewer: Viewer): Promise<Share[]> {
      const now = clock.now()
      const enabled = SOURCES.filter(source => configuration()[source].enabled)
      return (await Promise.all(enabled.map(source => ofSource(source, viewer, now)))).flat()
    },
  }
}

export type Shares = ReturnType<typeof openShares>
