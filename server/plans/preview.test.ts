import { describe, expect, test } from 'vitest'
import type { PersonPolicy, PlanPreview } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { firstUpstream } from '#testing/asks.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const NOON = Date.parse('2027-01-15T12:00:00Z')
const DAY = 86_400_000
const ASKS = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const
const MONTHLY = { ...ASKS, window: { kind: 'month' } } as const
const HOURLY = { ...ASKS, window: { kind: 'rolling', seconds: 3_600 } } as const

const named = (people: readonly { user_id: number }[]) => people.map(({ user_id }) => user_id)
const refusalOf = async (person: Person) => {
  const last = (await person.ask('hello', { new_title: 'x' })).at(-1)
  return last?.type === 'error' ? last['tip'] : null
}

eachStorage((_, newStorage) => {
  async function opened() {
    const clock = testClock(NOON)
    const portal = await startPortal({ storage: await newStorage(), clock })
    const { admin } = portal
    const makePlan = async (body: object) => {
      const { id } = await admin.result<Plan>('POST', '/plan', { name: 'Family', ...body })
      return {
        id,
        preview: (changes: object) => admin.result<PlanPreview>('POST', `/plan/${id}/preview`, changes),
        change: (changes: object) => admin.result<Plan>('PATCH', `/plan/${id}`, changes),
        async person(asks = 0) {
          const one = await portal.person()
          await admin.result('PUT', `/user/${one.id}/plan`, { plan_id: id })
          for (let at = 0; at < asks; at++) await one.ask('/simulate tokens=10', { new_title: 'x' })
          return one
        },
      }
    }
    const policy = (id: number) => admin.result<PersonPolicy>('GET', `/user/${id}/policy`)
    return { ...portal, clock, makePlan, policy }
  }

  describe('the preview of a change', () => {
    test('counts what is used of every kind of limit, and who has reached one is blocked by that one', async () => {
      const { admin, app, makePlan } = await opened()
      const upstream = await firstUpstream(app.services.open.database)
      await admin.result('PUT', `/system/upstreams/${upstream}/prices`, {
        prices: [{ model: 'gpt_4', input: 0, output: 1_000 }],
      })
      // Asks for ever are counted where there is a limit of them.
      const counted = [ASKS, { ...ASKS, models: ['gpt_4'] }].map(limit => ({ ...limit, amount: 100 }))
      const plan = await makePlan({ limits: counted })
      const [busy, idle] = [await plan.person(3), await plan.person()]
      const limits = [
        ASKS,
        MONTHLY,
        HOURLY,
        { ...ASKS, models: ['gpt_4'] },
        { ...MONTHLY, models: ['gpt_3_5', 'gpt_4'] },
      ]
      for (const limit of limits) {
        const { blocked, affected } = await plan.preview({ limits: [{ ...limit, amount: 3 }] })
        expect(blocked).toMatchObject([{ user_id: busy.id, limits: [{ limit, used: 3, after: 3 }] }])
        expect(affected).toBe(2)
        expect(await plan.preview({ limits: [{ ...limit, amount: 4 }] })).toMatchObject({ blocked: [], affected: 2 })
      }
      const money = { ...MONTHLY, unit: 'money' } as const
      const { blocked } = await plan.preview({
        limits: [
          { ...money, amount: 0.02 },
          { ...money, unit: 'tokens', amount: 5 },
        ],
      })
      expect(named(blocked)).toEqual([busy.id])
      expect(blocked[0]?.limits).toMatchObject([
        { limit: money, used: 0.03, after: 0.02 },
        { limit: { unit: 'tokens' } },
      ])
      const other = await plan.preview({ limits: [{ ...ASKS, models: ['gpt_3_5'], amount: 1 }] })
      expect(other).toMatchObject({ blocked: [], affected: 2 })
      expect(named((await plan.preview({ limits: [{ ...ASKS, amount: 0 }] })).blocked)).toEqual([busy.id, idle.id])
    })
    test('of a plan above reaches those below it, and who goes below another one gets what that says', async () => {
      const { makePlan } = await opened()
      const top = await makePlan({ name: 'Top', limits: [{ ...ASKS, amount: 9 }] })
      const middle = await makePlan({ name: 'Middle', parent_id: top.id })
      const strict = await makePlan({ name: 'Strict', limits: [{ ...ASKS, amount: 1 }] })
      const [here, below, stranger] = [await top.person(2), await middle.person(2), await strict.person()]
      const fewer = await top.preview({ limits: [{ ...ASKS, amount: 2 }] })
      expect(named(fewer.blocked)).toEqual([here.id, below.id])
      expect(named(fewer.untouched)).not.toContain(stranger.id)
      const moved = await middle.preview({ parent_id: strict.id })
      expect(moved).toMatchObject({ affected: 1, gained: [] })
      expect(moved.blocked).toMatchObject([{ user_id: below.id, limits: [{ before: 9, after: 1, used: 2 }] }])
      expect(named((await middle.preview({ parent_id: 1 })).gained)).toEqual([below.id])
    })
    test('says who gains: a value that is raised, lifted or allowed, and nothing that is lost at once', async () => {
      const { makePlan } = await opened()
      const plan = await makePlan({
        limits: [{ ...ASKS, amount: 2 }],
        openai_api: { allow_to_use: true, disable_uploading: true, max_conv_count: 3, available_models: ['gpt_4'] },
      })
      const lin = await plan.person(2)
      for (const changes of [
        { limits: [{ ...ASKS, amount: 3 }] },
        { limits: [{ ...ASKS, amount: -1 }] },
        { limits: [] },
        { openai_api: { disable_uploading: false } },
        { openai_api: { max_conv_count: -1 } },
        { openai_api: { available_models: ['*'] } },
        { openai_api: { allow_custom_openai_api: true } },
      ])
        expect(await plan.preview(changes), JSON.stringify(changes)).toMatchObject({
          ...{ blocked: [], untouched: [], affected: 1 },
          gained: [{ user_id: lin.id }],
        })
      const both = await plan.preview({ limits: [], openai_api: { max_conv_count: 2 } })
      expect([named(both.blocked), named(both.gained)]).toEqual([[lin.id], []])
    })
    test('says of who is untouched why: by what is their own, by a plan below, or since it comes to the same', async () => {
      const { admin, makePlan } = await opened()
      const plan = await makePlan({ limits: [{ ...ASKS, amount: 5 }] })
      const below = await makePlan({ name: 'Below', parent_id: plan.id, limits: [{ ...ASKS, amount: 7 }] })
      const [plain, own, kid] = [await plan.person(), await plan.person(), await below.person()]
      await admin.result('PUT', `/user/${own.id}/policy`, { limits: [{ ...ASKS, amount: 50 }] })
      const reasons = async (changes: object) =>
        (await plan.preview(changes)).untouched.map(({ user_id, reason }) => [user_id, reason])
      expect(await reasons({ limits: [{ ...ASKS, amount: 6 }] })).toEqual([
        [own.id, 'own'],
        [kid.id, 'plan'],
      ])
      expect(await reasons({ limits: [{ ...ASKS, amount: 5 }], name: 'Another' })).toEqual([
        [plain.id, 'same'],
        [own.id, 'same'],
        [kid.id, 'plan'],
      ])
    })
    test('compares what is of no source too: more is gained, less is changed, and words only differ', async () => {
      const { admin, makePlan } = await opened()
      const values = { max_keys: 3, retention_days: 90, max_file_bytes: 1_000, share_weight: 2, may_borrow: false }
      const plan = await makePlan({ ...values, instructions: 'Be short.', deleted_retention_days: 5 })
      const [lin, own] = [await plan.person(), await plan.person()]
      await admin.result('PUT', `/user/${own.id}/policy`, { max_keys: 7, instructions: 'Be kind.' })
      const kinds = async (changes: object) => {
        const { blocked, gained, changed, untouched } = await plan.preview(changes)
        expect(blocked).toEqual([])
        const reasons = changed.flatMap(each => each.reasons).map(({ source, field }) => [source, field])
        return [named(gained), named(changed), [...new Set(reasons.map(String))], named(untouched)]
      }
      const both = [lin.id, own.id]
      for (const more of [
        { retention_days: -1 },
        { retention_days: null },
        { deleted_retention_days: null },
        { max_file_bytes: null },
        { share_weight: 3 },
        { may_borrow: true },
      ])
        expect(await kinds(more), JSON.stringify(more)).toEqual([both, [], [], []])
      for (const less of [{ retention_days: 10 }, { deleted_retention_days: 0 }, { max_upload_bytes: 0 }])
        expect(await kinds(less), JSON.stringify(less)).toEqual([[], both, [`,${Object.keys(less)[0]}`], []])
      expect(await kinds({ max_keys: 4 })).toEqual([[lin.id], [], [], [own.id]])
      expect(await kinds({ instructions: 'Be long.' })).toEqual([[], [lin.id], [',instructions'], [own.id]])
      expect(await kinds({ instructions: 'Be short.' })).toEqual([[], [], [], both])
    })
    test('tells of a source that somebody may not use nothing', async () => {
      const { makePlan } = await opened()
      const plan = await makePlan({ openai_web: { allow_to_use: false } })
      await plan.person()
      const changes = { openai_web: { max_conv_count: 0, daily_available_time_slots: [] } }
      expect(await plan.preview(changes)).toMatchObject({ blocked: [], gained: [], affected: 0 })
    })
    test('is refused as the change would be, and of a plan that is not there', async () => {
      const { admin, makePlan } = await opened()
      const plan = await makePlan({})
      const below = await makePlan({ name: 'Below', parent_id: plan.id })
      const answer = async (id: number, body: object) => (await admin.call('POST', `/plan/${id}/preview`, body)).message
      expect(await answer(plan.id, { parent_id: below.id })).toBe('errors.planInCircle')
      expect(await answer(plan.id, { parent_id: 999 })).toBe('errors.planNotFound')
      expect(await answer(1, { parent_id: plan.id })).toBe('errors.planIsDefault')
      expect(await answer(999, {})).toBe('errors.planNotFound')
    })
  })

  describe('whoever is spared', () => {
    test('asks on under what they had until then, is told whose it is, and is blocked like the others after it', async () => {
      const { clock, makePlan, policy } = await opened()
      const plan = await makePlan({ limits: [{ ...MONTHLY, amount: 5 }], openai_api: { max_conv_count: 20 } })
      const [spared, blocked] = [await plan.person(3), await plan.person(3)]
      const until = new Date(NOON + DAY).toISOString()
      await plan.change({
        limits: [
          { ...MONTHLY, amount: 3 },
          { ...HOURLY, amount: 50 },
        ],
        openai_api: { max_conv_count: 1 },
        spare: [{ user_id: spared.id, until }],
      })
      expect(await refusalOf(spared)).toBe(null)
      expect(await refusalOf(blocked)).not.toBe(null)
      const { limits, openai_api } = await policy(spared.id)
      // What does not block them is theirs as it is everybody's.
      expect(limits.map(({ amount, origin, until: end }) => [amount, origin.from, end])).toEqual([
        [5, 'own', until],
        [50, 'plan', null],
      ])
      expect(openai_api.max_conv_count).toEqual({ value: 20, origin: { from: 'own', until } })
      clock.pass(DAY)
      expect(await refusalOf(spared)).toBe('errors.maxConversationCountReached')
      expect((await policy(spared.id)).limits.map(({ origin }) => origin.from)).toEqual(['plan', 'plan'])
    })
    test('without being blocked, or without being in the plan, gets nothing of their own', async () => {
      const { makePlan, policy, person } = await opened()
      const plan = await makePlan({ limits: [{ ...ASKS, amount: 5 }] })
      const [idle, stranger] = [await plan.person(), await person()]
      const until = new Date(NOON + DAY).toISOString()
      const spare = [idle.id, stranger.id, 999_999].map(user_id => ({ user_id, until }))
      await plan.change({ limits: [{ ...ASKS, amount: 4 }], spare })
      expect((await policy(idle.id)).limits).toMatchObject([{ amount: 4, origin: { from: 'plan' } }])
      expect((await policy(stranger.id)).limits).toEqual([])
    })
    test('cannot be so until a moment that has passed, and then nothing is changed', async () => {
      const { admin, makePlan } = await opened()
      const plan = await makePlan({ limits: [{ ...ASKS, amount: 5 }] })
      const { id } = await plan.person(2)
      const body = { limits: [{ ...ASKS, amount: 1 }], spare: [{ user_id: id, until: new Date(NOON).toISOString() }] }
      expect(await admin.call('PATCH', `/plan/${plan.id}`, body)).toMatchObject({
        code: 422,
        detail: [{ loc: ['body', 'spare', 0, 'until'], msg: 'timeHasPassed' }],
      })
      const plans = await admin.result<Plan[]>('GET', '/plan')
      expect(plans.find(each => each.id === plan.id)?.limits).toMatchObject([{ amount: 5 }])
    })
    test('by one change after another keeps what they had before the first', async () => {
      const { makePlan, policy } = await opened()
      const plan = await makePlan({ limits: [{ ...ASKS, amount: 5 }] })
      const { id } = await plan.person(2)
      const until = (days: number) => new Date(NOON + days * DAY).toISOString()
      await plan.change({ limits: [{ ...ASKS, amount: 2 }], spare: [{ user_id: id, until: until(3) }] })
      await plan.change({ limits: [{ ...ASKS, amount: 1 }], spare: [{ user_id: id, until: until(9) }] })
      expect((await policy(id)).limits).toMatchObject([{ amount: 5, until: until(3) }])
      await plan.change({ openai_api: { allow_to_use: false }, spare: [{ user_id: id, until: until(2) }] })
      expect(await policy(id)).toMatchObject({
        limits: [{ amount: 5, until: until(3) }],
        openai_api: { allow_to_use: { value: true, origin: { from: 'own', until: until(2) } } },
      })
    })
  })
})
