import { describe, expect, test } from 'vitest'
import { startPortal } from '#testing/portal.ts'

type Sent = Record<string, unknown>

const ASKS = { source: 'openai_api', unit: 'asks', window: { kind: 'month' }, models: null }

async function aPortal() {
  const portal = await startPortal()
  const { admin } = portal
  const result = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const answer = await admin.call(method, path, body)
    return answer.code === 200 ? answer.result : answer.message
  }
  const makePlan = async (fields: Sent) => (await result('POST', '/plan', fields)) as { id: number } & Sent
  return { ...portal, result, makePlan }
}

describe('plans', () => {
  test('begin with the default one, which everybody is in and which cannot be removed or moved', async () => {
    const { result, person } = await aPortal()
    await person()
    expect(await result('GET', '/plan')).toMatchObject([{ id: 1, parent_id: null, people: 2, limits: [] }])
    expect(await result('DELETE', '/plan/1')).toBe('errors.planIsDefault')
    expect(await result('PATCH', '/plan/1', { parent_id: 1 })).toBe('errors.planIsDefault')
  })
  test('inherit what they do not say from the plan above, limit by limit', async () => {
    const { result, makePlan } = await aPortal()
    const family = await makePlan({
      name: 'Family',
      limits: [
        { ...ASKS, amount: 100 },
        { ...ASKS, unit: 'money', amount: 20.5 },
      ],
      openai_api: { max_conv_count: 7, allow_to_use: false },
    })
    const kids = await makePlan({
      name: 'Kids',
      parent_id: family.id,
      limits: [{ ...ASKS, amount: 10 }],
      openai_api: { allow_to_use: true },
    })
    expect(kids).toMatchObject({
      parent_id: family.id,
      in_force: {
        openai_api: {
          max_conv_count: { value: 7, origin: { from: 'plan', plan_id: family.id, name: 'Family' } },
          allow_to_use: { value: true, origin: { plan_id: kids.id } },
          disable_uploading: { value: false, origin: { plan_id: 1 } },
        },
        limits: [
          { ...ASKS, amount: 10, origin: { name: 'Kids' } },
          { ...ASKS, unit: 'money', amount: 20.5, origin: { name: 'Family' } },
        ],
      },
    })
    await result('PATCH', `/plan/${family.id}`, { openai_api: { max_conv_count: null } })
    const plans = (await result('GET', '/plan')) as Sent[]
    expect(plans.find(({ id }) => id === kids.id)).toMatchObject({
      in_force: { openai_api: { max_conv_count: { value: -1, origin: { plan_id: 1 } } } },
    })
  })
  test('reach those who are in them at once, and not what they have set for themselves', async () => {
    const { result, makePlan, person, admin } = await aPortal()
    const [lin, mei] = [await person(), await person()]
    const plan = await makePlan({ name: 'Few', limits: [{ ...ASKS, window: { kind: 'ever' }, amount: 3 }] })
    for (const { id } of [lin, mei])
      expect(await result('PUT', `/user/${id}/plan`, { plan_id: plan.id })).toEqual({ plan_id: plan.id, name: 'Few' })
    await admin.call('PATCH', `/user/${mei.id}/setting`, { openai_api: { total_ask_count: 50 } })
    const left = async (id: number) => ((await result('GET', `/user/${id}`)) as Sent)['setting']
    expect(await left(lin.id)).toMatchObject({
      openai_api: { total_ask_count: 3 },
      openai_web: { total_ask_count: -1 },
    })
    await result('PATCH', `/plan/${plan.id}`, { limits: [{ ...ASKS, window: { kind: 'ever' }, amount: 9 }] })
    expect(await left(lin.id)).toMatchObject({ openai_api: { total_ask_count: 9 } })
    expect(await left(mei.id)).toMatchObject({ openai_api: { total_ask_count: 50 } })
  })
  test('are refused in a circle, with people in them, or when somebody else has changed them', async () => {
    const { result, makePlan, person } = await aPortal()
    const top = await makePlan({ name: 'Top' })
    const below = await makePlan({ name: 'Below', parent_id: top.id })
    expect(await result('PATCH', `/plan/${top.id}`, { parent_id: below.id })).toBe('errors.planInCircle')
    expect(await result('PATCH', `/plan/${top.id}`, { parent_id: top.id })).toBe('errors.planInCircle')
    expect(await result('DELETE', `/plan/${top.id}`)).toBe('errors.planInUse')
    const { id } = await person()
    await result('PUT', `/user/${id}/plan`, { plan_id: below.id })
    expect(await result('DELETE', `/plan/${below.id}`)).toBe('errors.planInUse')
    expect(await result('DELETE', `/plan/${top.id}?move_to=${below.id}`)).toBe('errors.planInCircle')
    expect(await result('PATCH', `/plan/${top.id}`, { name: 'A', expected: { name: 'Old' } })).toBe(
      'errors.changedMeanwhile',
    )
    expect(await result('DELETE', `/plan/${below.id}?move_to=1`)).toBe(null)
    expect(await result('DELETE', `/plan/${top.id}`)).toBe(null)
    expect(await result('GET', '/plan')).toMatchObject([{ people: 2 }])
  })
  test('take amounts within their bounds, and each limit once', async () => {
    const { result } = await aPortal()
    const tries: [Sent, boolean][] = [
      [{ ...ASKS, amount: -1 }, true],
      [{ ...ASKS, amount: 0 }, true],
      [{ ...ASKS, amount: 1_000_000_000 }, true],
      [{ ...ASKS, amount: 1_000_000_001 }, false],
      [{ ...ASKS, amount: -2 }, false],
      [{ ...ASKS, amount: 1.5 }, false],
      [{ ...ASKS, unit: 'money', amount: 0.000001 }, true],
      [{ ...ASKS, unit: 'money', amount: 0.0000001 }, false],
      [{ ...ASKS, unit: 'money', amount: 1, source: 'openai_web' }, false],
      [{ ...ASKS, window: { kind: 'rolling' }, amount: 1 }, false],
      [{ ...ASKS, window: { kind: 'day', seconds: 5 }, amount: 1 }, false],
      [{ ...ASKS, models: [], amount: 1 }, false],
    ]
    for (const [limit, isTaken] of tries) {
      const answer = await result('POST', '/plan', { name: 'A plan', limits: [limit] })
      expect(typeof answer === 'string' ? answer : 'taken', JSON.stringify(limit)).toBe(
        isTaken ? 'taken' : 'errors.requestValidationError',
      )
    }
    const twice = [
      { ...ASKS, models: ['gpt_4', 'gpt_3_5'], amount: 1 },
      { ...ASKS, models: ['gpt_3_5', 'gpt_4'], amount: 2 },
    ]
    expect(await result('POST', '/plan', { name: 'Twice', limits: twice })).toBe('errors.requestValidationError')
  })
})

describe('the default plan', () => {
  test('shows what the settings say of new people, and leaves that to them when it is sent back', async () => {
    const { result, makePlan } = await aPortal()
    await result('PUT', '/system/config', { new_users: { max_conv_count: 4, total_ask_count: 20 } })
    const shown = (await result('GET', '/plan')) as Sent[]
    const { openai_api, openai_web, limits } = shown[0] ?? {}
    expect(shown[0]).toMatchObject({ openai_api: { max_conv_count: 4 }, limits: [{ amount: 20 }, { amount: 20 }] })
    await result('PATCH', '/plan/1', { openai_api, openai_web, limits })
    await result('PUT', '/system/config', { new_users: { max_conv_count: 5, total_ask_count: 30 } })
    expect(await makePlan({ name: 'Any' })).toMatchObject({
      in_force: { openai_web: { max_conv_count: { value: 5 } }, limits: [{ amount: 30 }, { amount: 30 }] },
    })
  })
})
