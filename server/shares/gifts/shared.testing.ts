import { expect } from 'vitest'
import { type AccountWindow, windowText } from '#contract/shares.ts'
import { firstUpstream } from '#testing/asks.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { changeUpstream } from '#testing/upstreams.ts'

const WEEK = { unit: 'asks', window: { kind: 'week' }, models: null } as const
export const WEEK_KEY = windowText(WEEK)

/** A portal whose account has so much a week in shares, twelve asks by default, and people who have asked once. */
export async function aSharedAccount(
  storage: Parameters<typeof startPortal>[0] = {},
  window: Partial<Pick<AccountWindow, 'unit' | 'amount'>> = {},
) {
  const portal = await startPortal(storage)
  const { services } = portal.app
  const upstream_id = await firstUpstream(services.open.database)
  const change = async (fields: Parameters<typeof changeUpstream>[2]) => {
    await changeUpstream(portal.app, upstream_id, fields)
    await until(() => expect(services.upstreams.poolOf(upstream_id)?.settings).toMatchObject(settingsOf(fields)))
  }
  const prices = [{ model: 'gpt_4', input: 1, output: 4 }]
  await portal.admin.result('PUT', `/system/upstreams/${upstream_id}/prices`, { prices })
  await change({ windows: [{ ...WEEK, amount: 12, ...window }], sharing: 'shares' })
  /** Somebody who has asked, and so has a share. */
  const member = async (name: string): Promise<Person> => {
    const person = await portal.person(name)
    await person.ask('hello', { new_title: 'x' })
    return person
  }
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  return { ...portal, upstream_id, change, member, inAnHour }
}

const settingsOf = ({ reserve_percent, owner_id }: Parameters<typeof changeUpstream>[2]) => ({
  ...(reserve_percent !== undefined && { reserve_percent }),
  ...(owner_id !== undefined && { owner_id }),
})
