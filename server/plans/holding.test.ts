import { describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'

const EVER = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const

async function aPlanFor({ admin }: Portal, people: readonly Person[], fields: object) {
  const plan = await admin.result<Plan>('POST', '/plan', { name: 'Family', ...fields })
  for (const { id } of people) await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
  return {
    ...plan,
    change: (changes: object) => admin.result<Plan>('PATCH', `/plan/${plan.id}`, changes),
  }
}

const refusalOf = async (person: Person, text = 'hello') => {
  const last = (await person.ask(text, { new_title: 'x' })).at(-1)
  return last?.type === 'error' ? last['tip'] : null
}

eachStorage((name, newStorage) => {
  describe('a plan', () => {
    test('holds for the next ask of everybody in it, and what is used of it stays used', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const lin = await portal.person()
      const plan = await aPlanFor(portal, [lin], { limits: [{ ...EVER, amount: 1 }] })
      const left = async () =>
        (await lin.result<{ setting: { openai_api: { total_ask_count: number } } }>('GET', '/user/me')).setting
          .openai_api.total_ask_count
      expect(await refusalOf(lin)).toBe(null)
      expect(await refusalOf(lin)).toBe('errors.noAvailableTotalAskCount')
      await plan.change({ limits: [{ ...EVER, amount: 3 }] })
      expect(await left()).toBe(2)
      expect(await refusalOf(lin)).toBe(null)
      await plan.change({ openai_api: { allow_to_use: false } })
      expect(await refusalOf(lin)).toBe('errors.userNotAllowToUseChatType')
      await plan.change({ openai_api: { allow_to_use: null, daily_available_time_slots: null, max_conv_count: 0 } })
      expect(await refusalOf(lin)).toBe('errors.maxConversationCountReached')
      await plan.change({
        openai_api: { max_conv_count: null },
        limits: [{ ...EVER, window: { kind: 'rolling', seconds: 3600 }, amount: 2 }],
      })
      expect(await refusalOf(lin)).toBe('errors.askedTooOften')
      await plan.change({ limits: [] })
      expect(await refusalOf(lin)).toBe(null)
    })
    test('is written to nobody’s row, however often it changes', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const people = [await portal.person(), await portal.person()]
      const plan = await aPlanFor(portal, people, {})
      const { database } = portal.app.services.open
      const rows = () =>
        Promise.all([
          database.selectFrom('user_source_settings').selectAll().orderBy('user_id').orderBy('source').execute(),
          database.selectFrom('user_model_allowances').selectAll().execute(),
          database.selectFrom('user_policy_values').selectAll().orderBy('user_id').execute(),
        ])
      const before = await rows()
      await plan.change({ limits: [{ ...EVER, amount: 3 }], max_keys: 3, openai_api: { max_conv_count: 2 } })
      await portal.admin.result('PATCH', '/plan/1', { openai_web: { allow_to_use: false } })
      await plan.change({ limits: [], parent_id: 1, name: 'Other' })
      expect(await rows()).toEqual(before)
    })
    test('stays as it is for an old client that sends back what it was shown, and what that changes is one’s own', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const lin = await portal.person()
      const rate = { ...EVER, window: { kind: 'rolling', seconds: 60 } }
      const plan = await aPlanFor(portal, [lin], {
        limits: [
          { ...EVER, amount: 7 },
          { ...rate, amount: 9 },
          { ...EVER, models: ['gpt_4'], amount: 4 },
        ],
        openai_api: { max_conv_count: 5, valid_days: 100, available_models: ['gpt_4'] },
      })
      const { admin } = portal
      const shown = async () =>
        (await admin.result<{ setting: { openai_api: object } }>('GET', `/user/${lin.id}`)).setting
      const policy = () => admin.result<{ limits: { origin: { from: string } }[] }>('GET', `/user/${lin.id}/policy`)
      const before = await shown()
      expect(before.openai_api).toMatchObject({
        total_ask_count: 7,
        rate_limits: [{ window_seconds: 60, max_requests: 9 }],
        available_models: ['gpt_4'],
      })
      await admin.result('PATCH', `/user/${lin.id}/setting`, before)
      expect((await policy()).limits.map(({ origin }) => origin.from)).toEqual(['plan', 'plan', 'plan'])
      expect(await policy()).toMatchObject({
        openai_api: { max_conv_count: { origin: { plan_id: plan.id } }, valid_until: { origin: { plan_id: plan.id } } },
      })
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        ...before,
        openai_api: { ...before.openai_api, max_conv_count: 6 },
      })
      expect(await policy()).toMatchObject({
        openai_api: {
          max_conv_count: { value: 6, origin: { from: 'own' } },
          available_models: { origin: { plan_id: plan.id } },
        },
      })
    })
    test('gives its instructions between those of the portal and one’s own', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const lin = await portal.person()
      await portal.admin.result('PUT', '/system/config', { portal: { instructions: 'Of the portal.' } })
      await aPlanFor(portal, [lin], { instructions: 'Of the plan.' })
      const own = { about_me: 'I am Lin.', how_to_answer: '', is_on: true, with_keys: false }
      await lin.result('PUT', '/user/me/instructions', own)
      expect(await lin.result('GET', '/user/me/instructions')).toEqual({
        ...own,
        portal: 'Of the portal.',
        plan: 'Of the plan.',
      })
      await lin.ask('hello', { new_title: 'x' })
      const sent = JSON.stringify(portal.simulator.journal.at(-1))
      const at = ['Of the portal.', 'Of the plan.', 'I am Lin.'].map(text => sent.indexOf(text))
      expect(at.every(index => index > 0)).toBe(true)
      expect(at).toEqual(at.toSorted((a, b) => a - b))
    })
    test('bounds the files of those in it', async () => {
      const portal = await startPortal({ storage: await newStorage() })
      const [lin, mei] = [await portal.person(), await portal.person()]
      await aPlanFor(portal, [lin], { max_upload_bytes: 1_000, max_file_bytes: 300 })
      const most = async (person: Person) => [
        (await person.result<{ most_bytes: number }>('GET', '/files')).most_bytes,
        (await person.result<{ files: { max_file_bytes: number } }>('GET', '/status/portal')).files.max_file_bytes,
      ]
      expect(await most(lin)).toEqual([1_000, 300])
      expect(await most(mei)).toEqual([5_368_709_120, 20_971_520])
      await portal.admin.result('PUT', `/user/${lin.id}/policy`, { max_file_bytes: 500 })
      expect(await most(lin)).toEqual([1_000, 500])
    })
  })

  test.runIf(name === 'PostgreSQL')('holds at once in every process, whatever that has heard of', async () => {
    const storage = await newStorage()
    const portal = await startPortal({ storage })
    const other = await startPortal({ storage, simulator: portal.simulator })
    // This process hears nothing any more.
    await other.app.services.bus.close()
    const lin = await portal.person()
    const plan = await aPlanFor(portal, [lin], { limits: [{ ...EVER, amount: 0 }] })
    const there = lin.at(other.url)
    expect(await refusalOf(there)).toBe('errors.noAvailableTotalAskCount')
    await plan.change({ limits: [] })
    expect(await refusalOf(there)).toBe(null)
    await plan.change({ openai_api: { max_conv_count: 1 } })
    expect(await refusalOf(there)).toBe('errors.maxConversationCountReached')
  })
})
