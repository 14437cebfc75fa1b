import { describe, expect, test } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { startPortal } from '#testing/portal.ts'

const MONTHLY = { source: 'openai_api', unit: 'money', window: { kind: 'month' }, models: null }

async function opened() {
  const portal = await startPortal()
  const { services } = portal.app
  /** The latest row of this kind, as whoever undoes it is given it. */
  const latest = async (action: string) => {
    const row = await services.open.database
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return row
  }
  const undo = async ({ id }: { id: number }) => (await portal.admin.call('POST', `/audit/${id}/undo`)).message
  const plan = await portal.admin.result<Plan>('POST', '/plan', {
    name: 'Family',
    limits: [{ ...MONTHLY, amount: 20 }],
    openai_api: { max_conv_count: 4 },
  })
  const change = (body: object) => portal.admin.result<Plan>('PATCH', `/plan/${plan.id}`, body)
  const plans = services.planAdministration
  return { ...portal, latest, undo, plan, change, plans }
}

describe('the audit', () => {
  test('has who made, changed and removed a plan, and what of it', async () => {
    const { admin, person, latest, plan, change } = await opened()
    expect(await latest('plan.created')).toMatchObject({ subject_id: String(plan.id), after: { name: 'Family' } })
    const { id } = await person()
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    await change({ name: 'Families', openai_api: { max_conv_count: null } })
    expect(await latest('plan.changed')).toMatchObject({
      actor_name: 'admin',
      before: { name: 'Family', values: { openai_api: { max_conv_count: 4 } } },
      after: {
        ...{ name: 'Families', values: {} },
        affected: {
          ...{ blocked: 0, gained: 1, changed: 0, untouched: 0 },
          people: { blocked: [], gained: [id], changed: [], untouched: [] },
        },
      },
    })
    // Whoever reads it sees names: those that people have now, and none of who is gone.
    const named = async () => {
      const { rows } = await admin.result<{ rows: { after: object }[] }>('GET', '/audit?action=plan.changed')
      return rows[0]?.after
    }
    const counts = { blocked: 0, gained: 1, untouched: 0 }
    await admin.result('PATCH', `/user/${id}`, { nickname: 'Mei' })
    expect(await named()).toMatchObject({ affected: { ...counts, names: { blocked: [], gained: ['Mei'] } } })
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: 1 })
    await admin.result('DELETE', `/plan/${plan.id}`)
    expect(await latest('plan.deleted')).toMatchObject({ before: { name: 'Families' } })
  })
  test('has what was made somebody’s own, and whom a change of a plan spares', async () => {
    const { admin, person, latest, plan, change } = await opened()
    const { id } = await person()
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    await admin.result('PUT', `/user/${id}/policy`, { max_keys: 2, openai_api: { max_conv_count: 9 } })
    expect(await latest('user.limits')).toMatchObject({
      subject_id: String(id),
      before: { own_values: null, 'openai_api.max_conv_count': null },
      after: { own_values: { max_keys: 2 }, 'openai_api.max_conv_count': 9 },
    })
    const until = new Date(Date.now() + 86_400_000).toISOString()
    await change({ openai_web: { allow_to_use: false }, spare: [{ user_id: id, until }] })
    expect(await latest('user.limits')).toMatchObject({
      after: { own_values: { spared: [{ source: 'openai_web', field: 'allow_to_use', value: true }] } },
    })
  })
})

describe('undoing', () => {
  test('makes a plan what it was, and is refused when somebody has changed the same since', async () => {
    const { latest, undo, plan, change, plans } = await opened()
    await change({ limits: [{ ...MONTHLY, amount: 5 }], name: 'Less' })
    const less = await latest('plan.changed')
    await undo(less)
    expect(await plans.read(plan.id)).toMatchObject({ name: 'Family', limits: [{ ...MONTHLY, amount: 20 }] })
    await change({ name: 'More', limits: [{ ...MONTHLY, amount: 30 }] })
    const more = await latest('plan.changed')
    await change({ name: 'Other' })
    expect(await undo(more)).toBe('errors.changedMeanwhile')
    expect(await plans.read(plan.id)).toMatchObject({ name: 'Other', limits: [{ ...MONTHLY, amount: 30 }] })
  })
  test('puts somebody back into their plan, unless they were moved since', async () => {
    const { admin, person, latest, undo, plan } = await opened()
    const { id } = await person()
    const planOf = async () =>
      (await admin.result<{ plan: { plan_id: number } }>('GET', `/user/${id}/policy`)).plan.plan_id
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    const moved = await latest('user.plan')
    expect(moved).toMatchObject({ before: { plan_id: 1 }, after: { plan_id: plan.id, plan: 'Family' } })
    await undo(moved)
    expect(await planOf()).toBe(1)
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: plan.id })
    const again = await latest('user.plan')
    await admin.result('PUT', `/user/${id}/plan`, { plan_id: 1 })
    expect(await undo(again)).toBe('errors.changedMeanwhile')
  })
  test('makes what was somebody’s own in the list inherited again', async () => {
    const { admin, person, latest, undo } = await opened()
    const { id } = await person()
    await admin.result('PUT', `/user/${id}/policy`, { max_keys: 2, limits: [{ ...MONTHLY, amount: 7 }] })
    await undo(await latest('user.limits'))
    expect(await admin.result('GET', `/user/${id}/policy`)).toMatchObject({
      max_keys: { origin: { from: 'plan' } },
      limits: [],
    })
  })
})
