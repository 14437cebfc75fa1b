import { describe, expect, test } from 'vitest'
import { planStore } from '#server/policy/planStore.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { aSharedAccount, asks, linesOf, type SharedAccount, sharesOf } from '#testing/sharedAccount.ts'

const ended = (frames: readonly Record<string, unknown>[]) => {
  const last = frames.at(-1)
  return last?.['tip'] ?? last?.['outcome']
}

async function weights(account: SharedAccount): Promise<[number, number][]> {
  return (await sharesOf(account)).members.map(({ user_id, weight }) => [user_id, weight])
}

eachStorage((_, storage) => {
  describe('a pool', () => {
    test('has used what the ledger says, in every process', async () => {
      const shared = await storage()
      const one = await aSharedAccount([asks(10)], {}, { storage: shared })
      const lin = await one.person()
      expect(await sharesOf(one)).toMatchObject({ capacity: 10_000, used: 0, members: [] })
      for (let asked = 1; asked <= 3; asked++) {
        await lin.ask('hello', { new_title: 'x' })
        expect(await sharesOf(one)).toMatchObject({
          used: asked * 1_000,
          members: [{ user_id: lin.id, share: 10_000, used: asked * 1_000, borrowed: 0 }],
        })
      }
      expect(await linesOf(one.app.services.open.database, one.upstream_id)).toMatchObject(
        Array.from({ length: 3 }, () => ({ user_id: lin.id, borrowed: 0, lender_id: null, charged: 1_000 })),
      )
    })

    test('has as members those who may ask: as it is stored, without anybody being told', async () => {
      const shared = await storage()
      const one = await aSharedAccount([asks(10)], {}, { storage: shared })
      const [lin, kim] = [await one.person(), await one.person()]
      for (const each of [lin, kim]) await each.ask('hello', { new_title: 'x' })
      expect(await weights(one)).toEqual([
        [lin.id, 1],
        [kim.id, 1],
      ])
      const { open } = one.app.services
      await open.transaction(trx => planStore(trx).setOf(kim.id, { own_values: { share_weight: 3 } }))
      expect(await sharesOf(one)).toMatchObject({ members: [{ share: 2_500 }, { share: 7_500, weight: 3 }] })
      await one.admin.result('PATCH', `/user/${lin.id}`, { is_active: false })
      expect(await weights(one)).toEqual([[kim.id, 3]])
    })
  })
})

test('a plan’s weight, a person’s own and a deactivation in one process count at the next ask in the other', async () => {
  const shared = { database_url: await aPostgresqlAddress() }
  const one = await aSharedAccount([asks(12)], { keep: 'share' }, { storage: shared })
  const two = await startPortal({ storage: shared, simulator: one.simulator })
  const [lin, kim] = [await one.person(), await one.person()]
  for (const each of [lin, kim]) await each.ask('hello', { new_title: 'x' })
  const ask = async () => ended(await lin.at(two.url).ask('hello', { new_title: 'x' }))
  expect(await ask()).toBe('finished')
  const plan = await one.admin.result<{ id: number }>('POST', '/plan', { name: 'small', share_weight: 0 })
  await one.app.services.open.transaction(trx => planStore(trx).setOf(lin.id, { plan_id: plan.id }))
  // All of it is kim's, and kept for kim.
  expect(await ask()).toBe('errors.shareUsed')
  await one.admin.result('PATCH', `/plan/${plan.id}`, { share_weight: 1 })
  expect(await ask()).toBe('finished')
  await one.app.services.open.transaction(trx => planStore(trx).setOf(kim.id, { own_values: { share_weight: 1_000 } }))
  expect(await ask()).toBe('errors.shareUsed')
  await one.admin.result('PATCH', `/user/${kim.id}`, { is_active: false })
  for (let more = 0; more < 8; more++) expect(await ask()).toBe('finished')
  expect(await ask()).toBe('errors.poolEmpty')
}, 60_000)
