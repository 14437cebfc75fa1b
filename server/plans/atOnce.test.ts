import { describe, expect, test } from 'vitest'
import type { PersonPolicy } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { callApi } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const ASKS = { source: 'openai_api', unit: 'asks', window: { kind: 'month' }, models: null } as const
const CHANGED = 'errors.changedMeanwhile'

eachStorage((name, newStorage) => {
  /** Two administrators; on PostgreSQL each at a process of their own. */
  async function opened() {
    const storage = await newStorage()
    const portal = await startPortal({ storage })
    const { admin } = portal
    const otherProcess = name === 'PostgreSQL' ? await startPortal({ storage, simulator: portal.simulator }) : portal
    const other = admin.at(otherProcess.url)
    const makePlan = async (fields: object = {}) =>
      (await admin.result<Plan>('POST', '/plan', { name: 'A', ...fields })).id
    const plans = () => admin.result<Plan[]>('GET', '/plan')
    const plan = async (id: number) => (await plans()).find(each => each.id === id)
    const message = async (asked: Promise<{ code: number; message: string }>) => {
      const { code, message: text } = await asked
      return code === 200 ? '' : text
    }
    /** What each of two changes comes to that are sent at the same moment. */
    const both = async (id: number, one: object, two: object) =>
      Promise.all([message(admin.call('PATCH', `/plan/${id}`, one)), message(other.call('PATCH', `/plan/${id}`, two))])
    return { ...portal, other, makePlan, plans, plan, both, message }
  }

  describe('two administrators at once', () => {
    test('change one field: the second to come is told what it is now, and nothing of theirs is stored', async () => {
      const { makePlan, plan, both, admin } = await opened()
      const id = await makePlan({ max_keys: 1, limits: [{ ...ASKS, amount: 5 }] })
      const to = (max_keys: number) => ({ max_keys, name: `With ${max_keys}`, expected: { max_keys: 1, name: 'A' } })
      const answers = await both(id, to(2), to(3))
      expect(answers.toSorted()).toEqual(['', CHANGED])
      const kept = answers[0] === '' ? 2 : 3
      await until(async () => expect(await plan(id)).toMatchObject({ max_keys: kept, name: `With ${kept}` }))
      const again = await admin.call('PATCH', `/plan/${id}`, to(9))
      expect(again.detail).toContainEqual({ loc: ['body', 'max_keys'], msg: String(kept), type: 'changed_meanwhile' })
    })
    test('change different fields: both are stored', async () => {
      const { makePlan, plan, both } = await opened()
      const id = await makePlan({ openai_api: { max_conv_count: 1 } })
      const answers = await both(
        id,
        { openai_api: { max_conv_count: 2 }, expected: { openai_api: { max_conv_count: 1 } } },
        { openai_api: { disable_uploading: true }, openai_web: { use_team: true }, expected: { openai_web: {} } },
      )
      expect(answers).toEqual(['', ''])
      expect(await plan(id)).toMatchObject({
        openai_api: { max_conv_count: 2, disable_uploading: true },
        openai_web: { use_team: true },
      })
    })
    test('change the limits, whose order is no difference, or make the same change', async () => {
      const { makePlan, plan, both, admin, message } = await opened()
      const weekly = { ...ASKS, window: { kind: 'week' }, amount: 3 }
      const limits = [{ ...ASKS, amount: 5, models: ['gpt_3_5', 'gpt_4'] }, weekly]
      const id = await makePlan({ limits })
      const seen = [weekly, { ...ASKS, amount: 5, models: ['gpt_4', 'gpt_3_5'] }]
      const to = (amount: number) => ({ limits: [{ ...weekly, amount }], expected: { limits: seen } })
      expect((await both(id, to(1), to(2))).toSorted()).toEqual(['', CHANGED])
      // The change may have been made by the other process: this one hears of it in a moment.
      await until(async () => {
        const now = (await plan(id))?.limits[0]?.amount ?? 0
        expect(await message(admin.call('PATCH', `/plan/${id}`, to(now)))).toBe('')
      })
    })
    test('put two plans below each other: one of both, and never a circle', async () => {
      const { makePlan, plans, admin, other, message } = await opened()
      const [one, two] = [await makePlan(), await makePlan()]
      const answers = await Promise.all([
        message(admin.call('PATCH', `/plan/${one}`, { parent_id: two })),
        message(other.call('PATCH', `/plan/${two}`, { parent_id: one })),
      ])
      expect(answers.toSorted()).toEqual(['', 'errors.planInCircle'])
      const parents = (await plans()).map(({ parent_id }) => parent_id)
      expect(parents.filter(parent => parent === 1)).toHaveLength(1)
    })
    test('remove a plan and put somebody into it: one of both, and nobody is in a plan that is gone', async () => {
      const { makePlan, plans, person, admin, other, message } = await opened()
      for (let at = 0; at < 3; at++) {
        const [id, { id: user_id }] = [await makePlan(), await person()]
        const [moved, removed] = await Promise.all([
          message(admin.call('PUT', `/user/${user_id}/plan`, { plan_id: id })),
          message(other.call('DELETE', `/plan/${id}`)),
        ])
        expect([`${moved} `, ` ${removed}`].join('')).toMatch(/^( {2}errors\.planInUse|errors\.planNotFound {2})$/)
        const policy = await admin.result<PersonPolicy>('GET', `/user/${user_id}/policy`)
        expect((await plans()).map(plan => plan.id)).toContain(policy.plan.plan_id)
      }
    })
    test('make what one person has their own: the second sees that it has changed', async () => {
      const { person, admin, other, message } = await opened()
      const { id } = await person()
      const to = (max_keys: number) => ({ max_keys, expected: { common: { max_keys: 0 } } })
      const answers = await Promise.all([
        message(admin.call('PUT', `/user/${id}/policy`, to(4))),
        message(other.call('PUT', `/user/${id}/policy`, to(5))),
      ])
      expect(answers.toSorted()).toEqual(['', CHANGED])
      expect(await admin.result('GET', `/user/${id}/policy`)).toMatchObject({
        max_keys: { value: answers[0] === '' ? 4 : 5 },
      })
    })
  })

  describe('a plan that is removed', () => {
    test('with people or plans in it is refused, and says how many', async () => {
      const { makePlan, person, admin, plan } = await opened()
      const id = await makePlan()
      await makePlan({ parent_id: id })
      for (let at = 0; at < 2; at++) await admin.result('PUT', `/user/${(await person()).id}/plan`, { plan_id: id })
      const answer = await admin.call('DELETE', `/plan/${id}`)
      expect(answer).toMatchObject({ message: 'errors.planInUse', values: { people: 2, plans: 1, invitations: 0 } })
      expect(await plan(id)).toMatchObject({ people: 2 })
    })
    test('with an open invitation into it is refused, and lets it lead into the plan that takes its people', async () => {
      const { makePlan, admin, plan, url } = await opened()
      const [from, to] = [await makePlan(), await makePlan({ name: 'Guests' })]
      const invited = { plan_id: from, uses: 1 }
      const { token } = await admin.result<{ token: string }>('POST', '/invitation', invited)
      const { id: revoked } = await admin.result<{ id: number }>('POST', '/invitation', invited)
      await admin.result('DELETE', `/invitation/${revoked}`)
      const refused = await admin.call('DELETE', `/plan/${from}`)
      expect(refused).toMatchObject({ message: 'errors.planInUse', values: { people: 0, plans: 0, invitations: 1 } })
      await admin.result('DELETE', `/plan/${from}?move_to=${to}`)
      const mei = { token, username: 'mei', nickname: 'Mei', password: 'correct-horse-7' }
      expect((await callApi(url, '', 'POST', '/invitation/accept', mei)).code).toBe(200)
      expect(await plan(to)).toMatchObject({ people: 1 })
      const { rows } = await admin.result<{ rows: object[] }>('GET', '/audit?action=plan.deleted')
      expect(rows).toMatchObject([{ after: { moved_to: to, people: 0, plans: 0, invitations: 1 } }])
    })
    test('gives its people and the plans below it to another one, which they inherit from at once', async () => {
      const { makePlan, person, admin, plan, plans } = await opened()
      const [from, to] = [
        await makePlan({ max_keys: 1 }),
        await makePlan({ max_keys: 7, limits: [{ ...ASKS, amount: 3 }] }),
      ]
      const below = await makePlan({ parent_id: from, name: 'Below' })
      const { id } = await person()
      await admin.result('PUT', `/user/${id}/plan`, { plan_id: from })
      await admin.result('PUT', `/user/${id}/policy`, { share_weight: 4 })
      await admin.result('DELETE', `/plan/${from}?move_to=${to}`)
      expect(await plan(below)).toMatchObject({ parent_id: to, in_force: { max_keys: { value: 7 } } })
      expect(await admin.result('GET', `/user/${id}/policy`)).toMatchObject({
        ...{ plan: { plan_id: to }, max_keys: { value: 7 }, limits: [{ amount: 3 }] },
        share_weight: { value: 4, origin: { from: 'own' } },
      })
      expect((await plans()).map(each => each.id)).toEqual([1, to, below])
    })
    test('gives them to no plan that is gone, itself, or below it', async () => {
      const { makePlan, admin, message, plans } = await opened()
      const id = await makePlan()
      const below = await makePlan({ parent_id: await makePlan({ parent_id: id }) })
      for (const [to, refusal] of [
        [999, 'errors.planNotFound'],
        [id, 'errors.planInCircle'],
        [below, 'errors.planInCircle'],
      ] as const)
        expect(await message(admin.call('DELETE', `/plan/${id}?move_to=${to}`))).toBe(refusal)
      for (const to of ['0', '-1', '1.5', 'x'])
        expect(await admin.call('DELETE', `/plan/${id}?move_to=${to}`)).toMatchObject({ code: 422 })
      expect(await plans()).toHaveLength(4)
    })
  })
})
