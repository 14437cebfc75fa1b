import { describe, expect, test } from 'vitest'
import type { ListedRow, PersonPolicy, PlanPreview } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { eachStorage } from '#testing/database.ts'
import { signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { readTable } from './table.ts'

const EVER = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const
const NOON = Date.parse('2027-01-15T12:00:00Z')
const DAY = 86_400_000

eachStorage((_, newStorage) => {
  async function opened() {
    const clock = { time: NOON, now: () => clock.time, monotonic: () => clock.time }
    const portal = await startPortal({ storage: await newStorage(), clock })
    const { admin } = portal
    const makePlan = (body: object) => admin.result<Plan>('POST', '/plan', body)
    const inPlan = async (plan_id: number, asks = 0) => {
      const one = await portal.person()
      await admin.result('PUT', `/user/${one.id}/plan`, { plan_id })
      for (let at = 0; at < asks; at++) await one.ask('hello', { new_title: 'x' })
      return one
    }
    const left = async (id: number) =>
      (await admin.result<{ setting: { openai_api: { total_ask_count: number } } }>('GET', `/user/${id}`)).setting
        .openai_api.total_ask_count
    return { ...portal, clock, makePlan, inPlan, left }
  }

  describe('a change of a plan', () => {
    test('says before who is blocked, who gains and who is untouched, and stores nothing', async () => {
      const { admin, makePlan, inPlan, left } = await opened()
      const plan = await makePlan({ name: 'Family', limits: [{ ...EVER, amount: 5 }] })
      const below = await makePlan({ name: 'Kids', parent_id: plan.id, limits: [{ ...EVER, amount: 5 }] })
      const [busy, idle, kid, own] = [
        await inPlan(plan.id, 2),
        await inPlan(plan.id),
        await inPlan(below.id),
        await inPlan(plan.id),
      ]
      await admin.result('PATCH', `/user/${own.id}/setting`, { openai_api: { total_ask_allowed: 50 } })
      const preview = (amount: number) =>
        admin.result<PlanPreview>('POST', `/plan/${plan.id}/preview`, { limits: [{ ...EVER, amount }] })
      const fewer = await preview(2)
      expect(fewer.blocked).toMatchObject([
        { user_id: busy.id, limits: [{ limit: EVER, used: 2, before: 5, after: 2 }], reasons: [] },
      ])
      expect(fewer).toMatchObject({ gained: [], affected: 2 })
      expect(fewer.untouched.map(({ user_id, reason }) => [user_id, reason])).toEqual([
        [kid.id, 'plan'],
        [own.id, 'own'],
      ])
      const more = await preview(9)
      expect(more).toMatchObject({ blocked: [], affected: 2 })
      expect(more.gained.map(({ user_id }) => user_id)).toEqual([busy.id, idle.id])
      expect([await left(busy.id), await left(idle.id)]).toEqual([3, 5])
    })
    test('says that who may not use the source any more is blocked, and by what', async () => {
      const { admin, makePlan, inPlan } = await opened()
      const plan = await makePlan({ name: 'Family' })
      const lin = await inPlan(plan.id)
      const preview = (openai_api: object) =>
        admin.result<PlanPreview>('POST', `/plan/${plan.id}/preview`, { openai_api })
      for (const [values, field] of [
        [{ allow_to_use: false }, 'allow_to_use'],
        [
          { daily_available_time_slots: [{ start_time: '00:00:00', end_time: '06:00:00' }] },
          'daily_available_time_slots',
        ],
        [{ available_models: [] }, 'available_models'],
        [{ max_conv_count: 0 }, 'max_conv_count'],
      ] as const)
        expect((await preview(values)).blocked).toMatchObject([
          { user_id: lin.id, limits: [], reasons: [{ source: 'openai_api', field }] },
        ])
      expect(await preview({ max_conv_count: 3 })).toMatchObject({ blocked: [], gained: [], affected: 1 })
    })
    test('spares who is named until a time, and then holds for them, too', async () => {
      const { admin, clock, makePlan, inPlan, left } = await opened()
      const plan = await makePlan({ name: 'Family', limits: [{ ...EVER, amount: 5 }] })
      const [spared, blocked] = [await inPlan(plan.id, 2), await inPlan(plan.id, 2)]
      const until = new Date(NOON + DAY).toISOString()
      await admin.result('PATCH', `/plan/${plan.id}`, {
        limits: [{ ...EVER, amount: 1 }],
        openai_web: { allow_to_use: false },
        spare: [{ user_id: spared.id, until }],
      })
      expect([await left(spared.id), await left(blocked.id)]).toEqual([3, 0])
      const policy = await admin.result<PersonPolicy>('GET', `/user/${spared.id}/policy`)
      expect(policy.limits).toMatchObject([{ ...EVER, amount: 5, origin: { from: 'own' }, until }])
      expect(policy.openai_web.allow_to_use).toEqual({ value: true, origin: { from: 'own', until } })
      clock.time = NOON + DAY
      expect(await left(spared.id)).toBe(0)
      const after = await admin.result<PersonPolicy>('GET', `/user/${spared.id}/policy`)
      expect(after.openai_web.allow_to_use).toMatchObject({ value: false, origin: { plan_id: plan.id } })
    })
  })

  describe('what a person has', () => {
    test('is shown with whose it is, made their own, and inherited again', async () => {
      const { admin, makePlan, inPlan, left } = await opened()
      const monthly = { ...EVER, unit: 'money', window: { kind: 'month' } }
      const rate = { ...EVER, window: { kind: 'rolling', seconds: 60 } }
      const limits = [
        { ...EVER, amount: 5 },
        { ...monthly, amount: 20.5 },
        { ...rate, amount: 3 },
      ]
      const plan = await makePlan({ name: 'Family', max_keys: 2, limits, openai_api: { max_conv_count: 9 } })
      const { id } = await inPlan(plan.id)
      const put = (body: object) => admin.result<PersonPolicy>('PUT', `/user/${id}/policy`, body)
      const shown = (policy: PersonPolicy) =>
        policy.limits.map(({ amount, origin }) => [amount, origin.from]).toSorted((a, b) => Number(a[0]) - Number(b[0]))
      expect(await admin.result('GET', `/user/${id}/policy`)).toMatchObject({
        plan: { plan_id: plan.id, name: 'Family' },
        max_keys: { value: 2, origin: { plan_id: plan.id } },
        openai_api: { max_conv_count: { value: 9, origin: { name: 'Family' } }, valid_until: { value: null } },
      })
      const own = await put({
        max_keys: 7,
        openai_api: { max_conv_count: 1, valid_until: 'never' },
        limits: [
          { ...EVER, amount: 8 },
          { ...monthly, amount: 30 },
          { ...rate, amount: 4 },
        ],
      })
      expect(shown(own)).toEqual([
        [4, 'own'],
        [8, 'own'],
        [30, 'own'],
      ])
      expect(own).toMatchObject({
        max_keys: { value: 7 },
        openai_api: { max_conv_count: { value: 1, origin: { from: 'own' } }, valid_until: { origin: { from: 'own' } } },
      })
      expect(await left(id)).toBe(8)
      const again = await put({
        max_keys: null,
        openai_api: { max_conv_count: null, valid_until: null },
        limits: [EVER, monthly, rate].map(limit => ({ ...limit, amount: null })),
      })
      expect(shown(again)).toEqual([
        [3, 'plan'],
        [5, 'plan'],
        [20.5, 'plan'],
      ])
      expect(again).toMatchObject({
        max_keys: { value: 2 },
        openai_api: { max_conv_count: { value: 9 }, valid_until: { origin: { from: 'plan' } } },
      })
      expect(await left(id)).toBe(5)
    })
    test('of rates that an old client made their own stands for each rate alone, once one of them is inherited again', async () => {
      const { admin, makePlan, inPlan } = await opened()
      const rate = (seconds: number) => ({ ...EVER, window: { kind: 'rolling', seconds } })
      const plan = await makePlan({
        name: 'Family',
        limits: [
          { ...rate(60), amount: 3 },
          { ...rate(3600), amount: 50 },
        ],
      })
      const { id } = await inPlan(plan.id)
      await admin.result('PATCH', `/user/${id}/setting`, {
        openai_api: { rate_limits: [{ window_seconds: 60, max_requests: 9 }] },
      })
      const shown = async () =>
        (await admin.result<PersonPolicy>('GET', `/user/${id}/policy`)).limits.map(({ amount, origin }) => [
          amount,
          origin.from,
        ])
      expect(await shown()).toEqual([
        [9, 'own'],
        [-1, 'own'],
      ])
      await admin.result('PUT', `/user/${id}/policy`, { limits: [{ ...rate(3600), amount: null }] })
      expect(await shown()).toEqual([
        [9, 'own'],
        [50, 'plan'],
      ])
    })
    test('is refused when somebody else has changed it since it was seen', async () => {
      const { admin, makePlan, inPlan } = await opened()
      const plan = await makePlan({ name: 'Family', limits: [{ ...EVER, amount: 5 }], max_keys: 1 })
      const { id } = await inPlan(plan.id)
      const tries: [object, string][] = [
        [{ openai_api: { max_conv_count: 3 }, expected: { openai_api: { max_conv_count: -1 } } }, ''],
        [
          { openai_api: { max_conv_count: 4 }, expected: { openai_api: { max_conv_count: -1 } } },
          'errors.changedMeanwhile',
        ],
        [{ max_keys: 3, expected: { common: { max_keys: 2 } } }, 'errors.changedMeanwhile'],
        [
          { limits: [{ ...EVER, amount: 6 }], expected: { limits: [{ ...EVER, amount: 4 }] } },
          'errors.changedMeanwhile',
        ],
        [{ limits: [{ ...EVER, amount: 6 }], expected: { limits: [{ ...EVER, amount: 5 }] } }, ''],
        [{ limits: [{ ...EVER, amount: 1.5 }] }, 'errors.requestValidationError'],
      ]
      for (const [body, message] of tries) {
        const answer = await admin.call('PUT', `/user/${id}/policy`, body)
        expect(answer.code === 200 ? '' : answer.message, JSON.stringify(body)).toBe(message)
      }
      expect((await admin.call('GET', '/user/999999/policy')).message).toBe('errors.userNotExist')
    })
  })

  describe('many people', () => {
    test('are moved at once, as a dry run said, and found by their plan', async () => {
      const { admin, makePlan, inPlan, person } = await opened()
      const plan = await makePlan({ name: 'Family' })
      const [inside, one, other] = [await inPlan(plan.id), await person(), await person()]
      const change = { action: 'plan', plan_id: plan.id }
      const selection = { ids: [inside.id, one.id, other.id] }
      const asked = { selection, change }
      expect(await admin.result('POST', '/system/users/bulk', { ...asked, dry_run: true })).toMatchObject({
        changed: 2,
        unchanged: { already: 1 },
      })
      expect(await admin.result('POST', '/system/users/bulk', asked)).toMatchObject({ changed: 2, job: null })
      const found = await admin.result<{ rows: { id: number; plan: object }[] }>(
        'GET',
        `/system/users?plan=${plan.id}&sort=username`,
      )
      expect(found.rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([inside.id, one.id, other.id])
      expect(found.rows[0]?.plan).toEqual({ plan_id: plan.id, name: 'Family' })
      expect(await admin.result('GET', '/system/users?plan=1')).toMatchObject({ total: 1 })
      expect(
        (await admin.call('POST', '/system/users/bulk', { selection, change: { ...change, plan_id: 999 } })).message,
      ).toBe('errors.planNotFound')
    })
    test('come by a list, row by row, and what is wrong with one keeps no other from it', async () => {
      const { admin, makePlan, person, url } = await opened()
      const plan = await makePlan({ name: 'Family' })
      const known = await person('known')
      await admin.result('PATCH', `/user/${known.id}`, { email: 'known@example.org' })
      const csv = [
        'name;e-mail;plan',
        'Known;KNOWN@example.org;family',
        '"Lin; Mei";lin@example.org;Family',
        'No such plan;x@example.org;Other',
        ';y@example.org;Family',
        'Bad address;not an address;Family',
        'Twice;lin@example.org;Family',
        'Plain;plain@example.org;',
      ].join('\r\n')
      type Answer = { rows: ListedRow[]; created: number; moved: number; same: number; refused: number }
      const send = (dry_run: boolean) => admin.result<Answer>('POST', '/plan/list', { csv, dry_run })
      const outcomes = ({ rows }: Answer) => rows.map(({ line, outcome, problem }) => [line, outcome, problem])
      const expected = [
        [2, 'moved', null],
        [3, 'created', null],
        [4, 'refused', 'planUnknown'],
        [5, 'refused', 'nameMissing'],
        [6, 'refused', 'emailWrong'],
        [7, 'refused', 'emailTwice'],
        [8, 'created', null],
      ]
      const dry = await send(true)
      expect(outcomes(dry)).toEqual(expected)
      expect(dry.rows.every(({ password }) => password === null)).toBe(true)
      expect(await admin.result<unknown[]>('GET', '/user')).toHaveLength(2)
      const done = await send(false)
      expect(outcomes(done)).toEqual(expected)
      expect(done).toMatchObject({ created: 2, moved: 1, same: 0, refused: 4 })
      const made = done.rows[1]
      const lin = await signIn(url, made?.username ?? '', made?.password ?? '')
      expect(lin.id).toBe(made?.user_id)
      expect(await admin.result('GET', `/user/${lin.id}/policy`)).toMatchObject({ plan: { plan_id: plan.id } })
      expect(await send(false)).toMatchObject({ created: 0, moved: 0, same: 3, refused: 4 })
    })
  })
})

describe('a table', () => {
  test('is read as spreadsheets write it', () => {
    const rows = (text: string) => readTable(text).map(({ cells }) => cells)
    expect(rows('\u{FEFF}姓名,邮箱,套餐\n李,a@b.c,x')).toEqual([['李', 'a@b.c', 'x']])
    expect(rows('a\tb\tc\r\n\r\nd\te\tf')).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ])
    expect(rows('"a ""b""";"c\nd";e')).toEqual([['a "b"', 'c\nd', 'e']])
    expect(readTable('"a\nb",c,d\ne,f,g').map(({ line }) => line)).toEqual([1, 3])
    expect(rows('')).toEqual([])
  })
})
