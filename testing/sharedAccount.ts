import { expect } from 'vitest'
import type { AccountWindow } from '#contract/shares.ts'
import type { App } from '#server/app.ts'
import { poolShares, type PoolShares } from '#server/limits/shares/shareRule.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { firstUpstream } from './asks.ts'
import { type Portal, startPortal } from './portal.ts'
import { changeUpstream } from './upstreams.ts'
import { until } from './until.ts'

export const FIVE_HOURS = { kind: 'rolling', seconds: 18_000 } as const

export const asks = (amount: number, window: AccountWindow['window'] = FIVE_HOURS): AccountWindow => ({
  ...{ unit: 'asks', amount, window, models: null },
})

export type SharedAccount = Portal & { upstream_id: number }

type Fields = Parameters<typeof changeUpstream>[2]

/** A portal whose first account has windows, and is shared unless it says otherwise. */
export async function aSharedAccount(
  windows: AccountWindow[],
  fields: Fields = {},
  options: Parameters<typeof startPortal>[0] = {},
): Promise<SharedAccount> {
  const portal = await startPortal(options)
  const upstream_id = await firstUpstream(portal.app.services.open.database)
  await changeSharing(portal.app, upstream_id, { windows, sharing: 'shares', ...fields })
  return { ...portal, upstream_id }
}

/** Changes how an account is shared; resolves when this process knows. */
export async function changeSharing(app: App, upstream_id: number, fields: Fields): Promise<void> {
  const { upstreams } = app.services
  await changeUpstream(app, upstream_id, fields)
  const { windows } = fields
  await until(() => {
    const { settings } = upstreams.poolOf(upstream_id) ?? {}
    expect(settings?.windows.map(({ window }) => window)).toEqual(windows?.map(({ window }) => window))
  })
}

/** Of its first window, as it is seen now. */
export async function sharesOf({ app, upstream_id }: SharedAccount, now = Date.now()): Promise<PoolShares> {
  const { open, pools } = app.services
  const view = await pools.view(open.database, upstream_id, { now })
  const shares = view === null ? null : poolShares(view.facts, view.facts.settings.windows[0]?.key ?? '')
  if (shares === null) throw new Error('the account has no windows')
  return shares
}

/** What the ledger has of an account: whose it is, and whether it was borrowed. */
export const linesOf = (database: Database, upstream_id: number) =>
  database
    .selectFrom('usage_ledger')
    .select(['user_id', 'borrowed', 'borrowed_key', 'lender_id', 'charged'])
    .where('upstream_id', '=', upstream_id)
    .where('reason', '=', 'settled')
    .orderBy('id')
    .execute()
