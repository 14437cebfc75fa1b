import type { Configuration } from '#contract/configuration/configuration.ts'
import { MAX_RECEIVERS, type ShareReceiver } from '#contract/shareLedger.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { readMemberPolicies } from '#server/limits/shares/poolMembers.ts'
import { activeNicknames } from '#server/users/store.ts'
import { type PoolReading, requireShares, sentShare, shownName, wholeWindow } from './pools.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  configuration(): Configuration
  pools: PoolReading
}

/**
 * To whom somebody may give of their share: those who have one, who used most first, then the others who may ask the
 * account. Nobody where names are not shown: nobody could be told from another.
 */
export const openReceivers =
  ({ open, clock, configuration, pools }: Dependencies) =>
  async (giver: number, upstream_id: number): Promise<ShareReceiver[]> => {
    requireShares(pools.poolOf(upstream_id))
    const database = open.readOnly()
    const now = clock.now()
    const view = await pools.view(database, upstream_id, { now, caller_id: giver })
    const whole = view === null ? null : wholeWindow(view.facts, giver)
    if (view === null || whole === null || whole.of(giver) === null) throw new Refusal('shareNotFound')
    const { names, source } = view.pool
    if (names === 'none') return []
    const people = await activeNicknames(database, MAX_RECEIVERS)
    const user_ids = people.map(({ id }) => id).filter(id => id !== giver)
    const may_ask = await readMemberPolicies(database, { source, user_ids, configuration: configuration(), now })
    const receivers = people.flatMap(({ id, nickname }) =>
      may_ask.has(id) ? [{ id, nickname, has: whole.of(id) }] : [],
    )
    return receivers
      .toSorted((a, b) => (b.has?.used ?? -1) - (a.has?.used ?? -1))
      .map(({ id, nickname, has }) => ({
        user_id: id,
        name: shownName(names, nickname),
        left: has === null ? null : sentShare(whole.window.unit, has.left),
      }))
  }
