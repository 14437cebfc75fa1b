import { describe, expect, test } from 'vitest'
import type { NewKey } from '#contract/keys.ts'
import type { LimitWindow } from '#contract/plans.ts'
import { planStore } from '#server/policy/planStore.ts'
import { firstUpstream } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { aSharedAccount, asks as windowOfAsks, linesOf } from '#testing/sharedAccount.ts'
import { until } from '#testing/until.ts'
import { LONG, portalWithKeys, START, withKeys } from './keys.testing.ts'

const HOUR = 3_600_000
const iso = (time: number) => new Date(time).toISOString()
const DAY: LimitWindow = { kind: 'day' }
const limit = (fields: Partial<NewKey['limits'][number]> = {}): NewKey['limits'][number] => ({
  ...{ source: 'openai_api', unit: 'asks', amount: 2, window: DAY, models: null },
  ...fields,
})
const refused = (key: string, values: object = {}) => ({ key, values: expect.objectContaining(values) })

eachStorage((_, newStorage) => {
  async function opened() {
    const portal = await portalWithKeys(await newStorage())
    const { database } = portal.app.services.open
    return {
      ...portal,
      database,
      limitPerson: (amount: number) =>
        planStore(database).setOf(portal.lin.id, { own_limits: [{ ...limit({ amount }), until: null }] }),
      page: async () => (await portal.lin.ask('hi', { new_title: 'x' })).at(-1),
    }
  }

  describe('a limit of a key', () => {
    test('holds for what was asked with it, and for nothing else', async () => {
      const { make, ask, page } = await opened()
      const [one, other] = [await make({ limits: [limit()] }), await make({ limits: [limit()] })]
      for (const _ of [1, 2]) expect(await ask(one.key)).toMatchObject({ outcome: 'finished' })
      const midnight = '2027-01-16T00:00:00.000Z'
      await expect(ask(one.key)).rejects.toMatchObject(
        refused('limitReached', { of_key: true, amount: 2, window: 'day', opens_at: midnight }),
      )
      expect(await ask(other.key)).toMatchObject({ outcome: 'finished' })
      expect(await page()).toMatchObject({ type: 'finished' })
    })
    test('opens again when its window does', async () => {
      const { make, ask, clock } = await opened()
      const { key } = await make({ limits: [limit({ window: { kind: 'rolling', seconds: 7_200 } })] })
      await ask(key)
      clock.pass(HOUR / 4)
      await ask(key)
      clock.pass(HOUR)
      await expect(ask(key)).rejects.toMatchObject(refused('limitReached', { opens_at: iso(START + 2 * HOUR) }))
      clock.set(START + 2 * HOUR)
      expect(await ask(key)).toMatchObject({ outcome: 'finished' })
    })
    test('has a window of its own, which its first ask opens and an ask without an answer does not', async () => {
      const { make, ask, page, clock, simulator } = await opened()
      const { key } = await make({ limits: [limit({ amount: 1, window: { kind: 'from_first', seconds: 3_600 } })] })
      await page()
      clock.pass(HOUR / 2)
      simulator.nextFault({ kind: 'status', status: 400 })
      expect(await ask(key)).toMatchObject({ outcome: 'failed', charged: false })
      clock.pass(HOUR / 4)
      expect(await ask(key)).toMatchObject({ outcome: 'finished' })
      await expect(ask(key)).rejects.toMatchObject(refused('limitReached', { opens_at: iso(START + 1.75 * HOUR) }))
    })
    test('in tokens is told to the upstream', async () => {
      const { make, ask, simulator } = await opened()
      const { key } = await make({ limits: [limit({ unit: 'tokens', amount: 90 })] })
      await ask(key)
      expect(simulator.journal.at(-1)?.body).toMatchObject({ max_tokens: expect.any(Number) })
      await expect(
        (async () => {
          for (let at = 0; at < 10; at += 1) await ask(key)
        })(),
      ).rejects.toMatchObject(refused('tokensReached', { of_key: true }))
    })
    test('in money is not lengthened by the credits of its owner', async () => {
      const { make, ask, admin, database, lin } = await opened()
      const prices = [{ model: 'gpt_4', input: 1_000, output: 1_000 }]
      await admin.result('PUT', `/system/upstreams/${await firstUpstream(database)}/prices`, { prices })
      await admin.result('PATCH', `/user/${lin.id}/setting`, { credits: 1_000 })
      const { key } = await make({ limits: [limit({ unit: 'money', amount: 0.001 })] })
      await expect(ask(key)).rejects.toMatchObject(refused('budgetReached', { of_key: true, amount: 0.001 }))
    })
    test('never allows more than its owner has left, of which page and keys are one', async () => {
      const { make, ask, page, limitPerson } = await opened()
      await limitPerson(2)
      const { key } = await make({ limits: [limit({ amount: 50 })] })
      await ask(key)
      await page()
      const error = await ask(key).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ key: 'limitReached', values: { amount: 2 } })
      expect(error).not.toMatchObject({ values: { of_key: true } })
      expect(await page()).toMatchObject({ tip: 'errors.limitReached' })
    })
    test('is shown with what was used of it', async () => {
      const { make, ask, list, page } = await opened()
      const { key } = await make({ limits: [limit(), limit({ unit: 'tokens', amount: 5_000 })] })
      await ask(key)
      await page()
      const [shown] = (await list()).keys
      const resets_at = '2027-01-16T00:00:00.000Z'
      expect(shown?.used).toEqual({
        limits: [
          { used: 1, allowed: 2, resets_at },
          { used: expect.any(Number), allowed: 5_000, resets_at },
        ],
        asks_of_week: 1,
      })
      expect(shown?.used.limits[1]?.used).toBeGreaterThan(0)
    })
  })

  describe('what is asked with a key', () => {
    test('has the key and the tool in its row, its log and the ledger', async () => {
      const { make, ask, database, page } = await opened()
      const { id, key } = await make()
      await ask(key)
      await page()
      for (const table of ['asks', 'ask_logs', 'usage_ledger'] as const) {
        const rows = await database.selectFrom(table).select(['key_id', 'tool']).orderBy('key_id').execute()
        const byKey = rows.toSorted((one, other) => (other.key_id ?? 0) - (one.key_id ?? 0))
        expect(byKey, table).toEqual([
          { key_id: id, tool: 'codex' },
          { key_id: null, tool: null },
        ])
      }
    })
    test('is of the models that the key names, and of no other', async () => {
      const { make, ask, database } = await opened()
      const { id, key } = await make({ models: ['gpt_4'] })
      expect(await ask(key)).toMatchObject({ outcome: 'finished' })
      await expect(ask(key, { model: 'gpt_4o' })).rejects.toMatchObject(
        refused('userNotAllowToUseModel', { model: 'gpt_4o', of_key: true }),
      )
      await until(async () => {
        const log = await database.selectFrom('ask_logs').selectAll().where('outcome', '=', 'refused').execute()
        expect(log).toMatchObject([{ key_id: id, tool: 'codex', failure_key: 'userNotAllowToUseModel' }])
      })
    })
    test('is one of so many that a person may ask at once, with what their page asks', async () => {
      const { make, ask, lin } = await opened()
      const { key } = await make()
      const chat = await lin.chat({
        ...{ source: 'openai_api', model: 'gpt_4', new_conversation: true, new_title: 'x', text_content: LONG },
      })
      await chat.until(({ type }) => type === 'message')
      await expect(ask(key)).rejects.toMatchObject({ key: 'cannotConnectMoreThanOneClient' })
      chat.send({ stop: true })
      await chat.until(({ type }) => type === 'finished')
      expect(await ask(key)).toMatchObject({ outcome: 'finished' })
    })
  })

  describe('a key that does not borrow', () => {
    test('asks within the share of its owner alone, whose page goes on borrowing', async () => {
      const account = await aSharedAccount([windowOfAsks(4)], { keep: 'nothing' }, { storage: await newStorage() })
      const { make, ask, lin, person, app, upstream_id } = await withKeys(account)
      const kim = await person('kim')
      await kim.ask('hello', { new_title: 'x' })
      const { key } = await make({ may_borrow: false })
      for (const _ of [1, 2]) expect(await ask(key)).toMatchObject({ outcome: 'finished' })
      await expect(ask(key)).rejects.toMatchObject({ key: 'shareUsed' })
      expect((await lin.ask('hello', { new_title: 'x' })).at(-1)).toMatchObject({ outcome: 'finished' })
      const borrowed = (await linesOf(app.services.open.database, upstream_id)).map(line => line.borrowed)
      expect(borrowed).toEqual([0, 0, 0, 1_000])
    })
  })

  describe('a key for when it is quiet', () => {
    test('asks at half the price, and only while nobody waits for one of its kind', async () => {
      const { make, ask, begin, person, database, app } = await opened()
      const { key } = await make({ quiet_only: true })
      expect(await ask(key)).toMatchObject({ outcome: 'finished' })
      const rows = await database.selectFrom('usage_ledger').select('charged').execute()
      expect(rows).toEqual([{ charged: 500 }])
      const mei = await person('mei')
      const hers = await make({ quiet_only: true }, mei)
      const { ask_id } = await begin(hers.key, { text: LONG })
      await expect(ask(key)).rejects.toMatchObject({ key: 'onlyWhenQuiet' })
      await app.services.asking.stop(ask_id)
    })
  })
})
