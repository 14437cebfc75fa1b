import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { balanceOf, UNBOUNDED } from '#server/usage/counts.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/**
 * What the changes of each count sum to in the ledger, and what is allowed less what was used; 0 for an unlimited one.
 */
async function sums({ database }: OpenDatabase, user_id: number) {
  const setting = await findEffectiveSetting(database, Configuration.parse({}), user_id, 'openai_api')
  const ledger = await database
    .selectFrom('ask_ledger')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('source', '=', 'openai_api')
    .execute()
  const moved = (rows: typeof ledger) => rows.reduce((sum, { change }) => sum + change, 0)
  return [
    [moved(ledger.filter(row => row.of_total)), balanceOf(setting?.total ?? UNBOUNDED)],
    ...[...(setting?.models ?? [])].map(([model, state]) => [
      moved(ledger.filter(row => row.of_model && row.model === model)),
      balanceOf(state),
    ]),
  ]
}

const bounds = (total: number, gpt_4: number) => ({
  openai_api: { total_ask_count: total, per_model_ask_count: { gpt_4 } },
})

eachStorage((_name, storage) => {
  describe('the ledger', () => {
    test('sums to the counts after answers, failures and what administrators set', async () => {
      const { app, admin, person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const expectSums = async () => {
        for (const [ledger, count] of await sums(app.services.open, lin.id)) expect(ledger).toBe(count)
      }
      await admin.result('PATCH', `/user/${lin.id}/setting`, bounds(10, 3))
      await lin.ask('one', { new_title: 'one' })
      simulator.nextFault({ kind: 'status', status: 500 })
      await lin.ask('two', { new_title: 'two' })
      await expectSums()
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: bounds(9, 2) })
      await admin.result('PATCH', `/user/${lin.id}/setting`, bounds(-1, 5))
      await lin.ask('three', { new_title: 'three' })
      await expectSums()
      await admin.result('PATCH', `/user/${lin.id}/setting`, bounds(4, -1))
      await expectSums()
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: bounds(4, -1) })
    })

    test('has no row of an ask that no count was taken for', async () => {
      const { app, person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const rows = () =>
        app.services.open.database
          .selectFrom('ask_ledger')
          .selectAll()
          .where('user_id', '=', lin.id)
          .where('reason', '!=', 'set')
          .execute()
      await lin.ask('one', { new_title: 'one' })
      simulator.nextFault({ kind: 'status', status: 500 })
      await lin.ask('two', { new_title: 'two' })
      expect(await rows()).toEqual([])
    })

    test('lets what an administrator sets during an ask stand', async () => {
      const { app, admin, person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, bounds(10, 3))
      simulator.nextFault({ kind: 'stall', after_tokens: 0 })
      const chat = await lin.chat(question('hello', { new_title: 'x' }))
      await chat.until(frame => frame.type === 'waiting')
      await admin.result('PATCH', `/user/${lin.id}/setting`, bounds(5, 1))
      chat.send({ stop: true })
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped', charged: false })
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: bounds(5, 1) })
      for (const [ledger, count] of await sums(app.services.open, lin.id)) expect(ledger).toBe(count)
    })

    test('keeps what was used, and what is given back, when an administrator allows more or less during an ask', async () => {
      const { app, admin, person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const allowed = (total: number, gpt_4: number) => ({
        openai_api: { total_ask_allowed: total, per_model_ask_allowed: { gpt_4 } },
      })
      const change = (body: object) => admin.result('PATCH', `/user/${lin.id}/setting`, body)
      const counts = async () => {
        const { sources } = await lin.result<Allowance>('GET', '/user/me/allowance')
        const api = sources.find(({ source }) => source === 'openai_api')
        return [api?.total, api?.models.find(({ model }) => model === 'gpt_4')?.count]
      }
      await change(bounds(10, 3))
      await lin.ask('one', { new_title: 'one' })
      simulator.nextFault({ kind: 'stall', after_tokens: 0 })
      const chat = await lin.chat(question('hello', { new_title: 'x' }))
      await chat.until(frame => frame.type === 'waiting')
      await change({ ...allowed(110, 1), expected: allowed(10, 3) })
      expect(await counts()).toEqual([
        { used: 2, allowed: 110, remaining: 108 },
        { used: 2, allowed: 1, remaining: 0 },
      ])
      chat.send({ stop: true })
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped', charged: false })
      expect(await counts()).toEqual([
        { used: 1, allowed: 110, remaining: 109 },
        { used: 1, allowed: 1, remaining: 0 },
      ])
      for (const [ledger, count] of await sums(app.services.open, lin.id)) expect(ledger).toBe(count)
      await change(allowed(-1, 0))
      expect(await counts()).toEqual([
        { used: 0, allowed: -1, remaining: -1 },
        { used: 1, allowed: 0, remaining: 0 },
      ])
      for (const [ledger, count] of await sums(app.services.open, lin.id)) expect(ledger).toBe(count)
    })
  })
})
