import { describe, expect, test } from 'vitest'
import type { PersonPolicy } from '#contract/planPeople.ts'
import type { Plan } from '#contract/plans.ts'
import { startPortal } from '#testing/portal.ts'

const EVER = { source: 'openai_api', unit: 'asks', window: { kind: 'ever' }, models: null } as const

async function opened(new_users: object) {
  const portal = await startPortal()
  const { admin } = portal
  const configure = (values: object) => admin.result('PUT', '/system/config', { new_users: values })
  await configure(new_users)
  const read = async () => {
    const [plan] = await admin.result<Plan[]>('GET', '/plan')
    if (plan === undefined) throw new Error('there is a default plan')
    return plan
  }
  const stored = () =>
    portal.app.services.open.database
      .selectFrom('plans')
      .select(['plan_limits', 'plan_values'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
  return { ...portal, configure, read, stored }
}

/** All that a plan can be sent back with. */
const sentBack = ({ openai_web, openai_api, limits, max_keys, retention_days }: Plan) => ({
  ...{ openai_web, openai_api, limits },
  ...{ max_keys: max_keys ?? null, retention_days: retention_days ?? null },
})

describe('the default plan', () => {
  test('can be sent back as it was shown, however much the settings say, and stays theirs', async () => {
    const per_model_ask_count = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`model-${at}`, at]))
    const rate_limits = [5, 3, 9].map(max_requests => ({ window_seconds: 60, max_requests }))
    const { admin, read, stored } = await opened({ total_ask_count: 20, per_model_ask_count, rate_limits })
    const plan = await read()
    expect(plan.limits.length).toBeGreaterThan(200)
    expect(plan.limits.filter(({ window }) => window.kind === 'rolling').map(({ amount }) => amount)).toEqual([3, 3])
    await admin.result('PATCH', '/plan/1', { ...sentBack(plan), expected: sentBack(plan) })
    expect(await stored()).toEqual({ plan_limits: [], plan_values: {} })
  })
  test('keeps what is changed in it, whatever the settings say later, and takes the rest from them', async () => {
    const { admin, configure, read, stored } = await opened({ total_ask_count: 20, max_conv_count: 4 })
    const plan = await read()
    const limits = plan.limits.map(limit => (limit.source === 'openai_api' ? { ...limit, amount: 25 } : limit))
    await admin.result('PATCH', '/plan/1', { ...sentBack(plan), limits, openai_api: { max_conv_count: 6 } })
    expect(await stored()).toEqual({
      plan_limits: [{ ...EVER, amount: 25 }],
      plan_values: { openai_api: { max_conv_count: 6 } },
    })
    await configure({ total_ask_count: 30, max_conv_count: 5 })
    const now = await read()
    expect(now).toMatchObject({ openai_api: { max_conv_count: 6 }, openai_web: { max_conv_count: 5 } })
    expect(now.limits.map(({ source, amount }) => [source, amount]).toSorted()).toEqual([
      ['openai_api', 25],
      ['openai_web', 30],
    ])
  })
  test('without a limit that the settings have lifts it for who inherits, and has it again when it is added', async () => {
    const { admin, read, person } = await opened({ total_ask_count: 20 })
    const { id } = await person()
    const total = async () => {
      const { limits } = await admin.result<PersonPolicy>('GET', `/user/${id}/policy`)
      return limits.find(({ source }) => source === 'openai_api')?.amount
    }
    expect(await total()).toBe(20)
    await admin.result('PATCH', '/plan/1', {
      limits: (await read()).limits.filter(({ source }) => source !== 'openai_api'),
    })
    expect(await total()).toBe(-1)
    await admin.result('PATCH', '/plan/1', { limits: [{ ...EVER, amount: 8 }] })
    expect(await total()).toBe(8)
  })
  test('is written to no setting of new people', async () => {
    const { admin, configure, read } = await opened({ max_conv_count: 4 })
    await admin.result('PATCH', '/plan/1', { openai_api: { max_conv_count: 9 }, name: 'Everybody' })
    expect(await read()).toMatchObject({ name: 'Everybody', openai_api: { max_conv_count: 9 } })
    await admin.result('PATCH', '/plan/1', { openai_api: { max_conv_count: null } })
    expect(await read()).toMatchObject({ openai_api: { max_conv_count: 4 } })
    await configure({ max_conv_count: 3 })
    expect(await read()).toMatchObject({ openai_api: { max_conv_count: 3 } })
  })
})
