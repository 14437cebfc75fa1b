import { describe, expect, test } from 'vitest'
import type { UserSetting } from '#contract/limits.ts'
import type { PersonPolicy } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2027-01-15T12:00:00Z')
const HOUR = 3_600_000
const UNTIL = new Date(NOON + HOUR).toISOString()
const EVER = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const
const MODEL = { ...EVER, models: ['gpt_4'] }
const rate = (seconds: number) => ({ ...EVER, window: { kind: 'rolling', seconds } })
const BUDGET = { ...EVER, unit: 'money', window: { kind: 'month' } } as const

eachStorage((_, newStorage) => {
  /** Somebody in a plan, who has some values of their own until a time. */
  async function opened() {
    const clock = testClock(NOON)
    const portal = await startPortal({ storage: await newStorage(), clock })
    const { admin } = portal
    const { database } = portal.app.services.open
    const plan = await admin.result<Plan>('POST', '/plan', {
      name: 'Family',
      limits: [
        { ...EVER, amount: 7 },
        { ...MODEL, amount: 4 },
        { ...rate(60), amount: 9 },
        { ...BUDGET, amount: 20 },
      ],
      openai_api: { max_conv_count: 5, valid_days: 100 },
    })
    const { id } = await portal.person()
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    const shown = async () => (await admin.result<{ setting: UserSetting }>('GET', `/user/${id}`)).setting
    const send = (body: object) => admin.call('PATCH', `/user/${id}/setting`, body)
    const policy = () => admin.result<PersonPolicy>('GET', `/user/${id}/policy`)
    const limits = async () =>
      (await policy()).limits.map(({ unit, window, models, amount, origin }) =>
        [unit, window.kind, models === null ? '' : models.join(' '), amount, origin.from].join(' ').replace('  ', ' '),
      )
    const stored = () =>
      Promise.all([
        database.selectFrom('user_source_settings').selectAll().where('user_id', '=', id).orderBy('source').execute(),
        database.selectFrom('user_model_allowances').selectAll().where('user_id', '=', id).execute(),
        database.selectFrom('user_policy_values').selectAll().where('user_id', '=', id).execute(),
        database.selectFrom('ask_ledger').selectAll().where('user_id', '=', id).execute(),
      ])
    const own = (body: object) => admin.result('PUT', `/user/${id}/policy`, body)
    const changePlan = (body: object) => admin.result('PATCH', `/plan/${plan.id}`, body)
    return { clock, id, plan, shown, send, policy, limits, stored, own, changePlan }
  }

  describe('an old client that sends back the whole setting', () => {
    test('as it was shown changes nothing, also of what is one’s own until a time, which ends then as before', async () => {
      const { clock, shown, send, stored, own, changePlan, id } = await opened()
      await own({
        limits: [
          { ...EVER, amount: 30, until: UNTIL },
          { ...rate(60), amount: 50, until: UNTIL },
        ],
      })
      await changePlan({ openai_api: { allow_to_use: false }, spare: [{ user_id: id, until: UNTIL }] })
      const [setting, before] = [await shown(), await stored()]
      expect(setting.openai_api).toMatchObject({
        ...{ allow_to_use: true, total_ask_count: 30, max_conv_count: 5 },
        rate_limits: [{ window_seconds: 60, max_requests: 50 }],
      })
      expect((await send(setting)).code).toBe(200)
      expect((await send({ ...setting, expected: setting })).code).toBe(200)
      expect(await stored()).toEqual(before)
      clock.pass(HOUR)
      expect((await shown()).openai_api).toMatchObject({
        ...{ allow_to_use: false, total_ask_count: 7 },
        rate_limits: [{ window_seconds: 60, max_requests: 9 }],
      })
    })
    test('with one value changed makes that their own, without an end, and leaves the others inherited', async () => {
      const { clock, shown, send, limits, own, changePlan } = await opened()
      await own({ limits: [{ ...EVER, amount: 30, until: UNTIL }] })
      const setting = await shown()
      await send({ ...setting, openai_api: { ...setting.openai_api, total_ask_count: 12 } })
      expect(await limits()).toEqual(
        expect.arrayContaining(['asks ever 12 own', 'asks ever gpt_4 4 plan', 'money month 20 plan']),
      )
      clock.pass(HOUR)
      await changePlan({ openai_api: { max_conv_count: 8 }, limits: [{ ...EVER, amount: 70 }] })
      expect((await shown()).openai_api).toMatchObject({ total_ask_count: 12, max_conv_count: 8, rate_limits: [] })
    })
    test('with a count of a model changed makes that model theirs, and no other', async () => {
      const { shown, send, limits } = await opened()
      const setting = await shown()
      const { per_model_ask_count } = setting.openai_api
      expect(per_model_ask_count).toMatchObject({ gpt_3_5: -1, gpt_4: 4 })
      await send({
        ...setting,
        openai_api: { ...setting.openai_api, per_model_ask_count: { ...per_model_ask_count, gpt_4: 6 } },
      })
      expect(await limits()).toEqual(
        expect.arrayContaining(['asks ever gpt_4 6 own', 'asks ever 7 plan', 'asks rolling 9 plan']),
      )
      expect(await limits()).toHaveLength(4)
    })
    test('with other rates has those and no inherited ones, and the budget of the plan all the same', async () => {
      const { shown, send, limits, own, stored } = await opened()
      const setting = await shown()
      const rates = {
        ...setting,
        openai_api: { ...setting.openai_api, rate_limits: [{ window_seconds: 5, max_requests: 1 }] },
      }
      await send(rates)
      expect(await limits()).toEqual(
        expect.arrayContaining(['asks rolling 1 own', 'asks rolling -1 own', 'money month 20 plan']),
      )
      expect((await shown()).openai_api.rate_limits).toEqual(rates.openai_api.rate_limits)
      const before = await stored()
      await send(await shown())
      expect(await stored()).toEqual(before)
      await own({ limits: [rate(5), rate(60)].map(limit => ({ ...limit, amount: null })) })
      expect(await limits()).toContain('asks rolling 9 plan')
      expect((await shown()).openai_api.rate_limits).toEqual([{ window_seconds: 60, max_requests: 9 }])
    })
    test('as it was before the plan changed is told so, and changes nothing', async () => {
      const { shown, send, changePlan, stored } = await opened()
      const setting = await shown()
      await changePlan({ openai_api: { max_conv_count: 2 } })
      const before = await stored()
      const answer = await send({ ...setting, credits: 5, expected: setting })
      // What is sent is what was seen, and not what is: it would become their own.
      expect(answer).toMatchObject({
        message: 'errors.changedMeanwhile',
        detail: [{ loc: ['body', 'openai_api', 'max_conv_count'], msg: '2' }],
      })
      expect(await stored()).toEqual(before)
    })
  })

  describe('a value of one’s own', () => {
    test('is inherited again by one change, with what the plan says by then', async () => {
      const { policy, own, changePlan, plan } = await opened()
      await own({
        ...{ max_keys: 3, instructions: '' },
        openai_api: { max_conv_count: 1, valid_until: '2027-02-01T00:00:00.000Z', available_models: ['gpt_4'] },
        limits: [
          { ...EVER, amount: 1 },
          { ...BUDGET, amount: 1.5 },
        ],
      })
      await changePlan({ max_keys: 9, instructions: 'Be short.', openai_api: { max_conv_count: 6 } })
      expect(await policy()).toMatchObject({
        ...{ max_keys: { value: 3 }, instructions: { value: '', origin: { from: 'own' } } },
        openai_api: { max_conv_count: { value: 1 }, valid_until: { value: '2027-02-01T00:00:00.000Z' } },
      })
      await own({
        ...{ max_keys: null, instructions: null },
        openai_api: { max_conv_count: null, valid_until: null, available_models: null },
        limits: [EVER, BUDGET].map(limit => ({ ...limit, amount: null })),
      })
      const again = await policy()
      const origin = { from: 'plan', plan_id: plan.id }
      expect(again).toMatchObject({
        ...{ max_keys: { value: 9, origin }, instructions: { value: 'Be short.', origin } },
        openai_api: {
          max_conv_count: { value: 6, origin },
          valid_until: { origin },
          available_models: { value: ['*'], origin: { plan_id: 1 } },
        },
      })
      expect(again.limits.every(limit => limit.origin.from === 'plan')).toBe(true)
    })
  })
})
