import { DEFAULT_PLAN } from '#contract/plans.ts'
import { type AuditValues, recordAudit } from '#server/audit/audit.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { planStore } from '#server/policy/planStore.ts'
import { userStore } from './store.ts'

/**
 * Puts a person into a plan, which is not removed meanwhile; values of their own stay. `seen`: the plan that they must
 * be in. Returns the plan, and whether they were in another one.
 */
export async function moveIntoPlan(
  trx: Transaction,
  user_id: number,
  plan_id: number,
  { engine, seen }: { engine: Engine; seen?: number },
): Promise<{ plan_id: number; name: string; moved: boolean }> {
  const store = planStore(trx)
  await userStore(trx).lock(user_id, engine)
  const user = await userStore(trx).find(user_id)
  if (user === undefined) throw new Refusal('userNotExist')
  const plan = await store.lock(plan_id, engine)
  if (plan === undefined) throw new Refusal('planNotFound')
  const before = (await store.of(user_id))?.plan_id ?? DEFAULT_PLAN
  if (seen !== undefined && before !== seen) {
    const detail = [{ loc: ['body', 'plan_id'], msg: JSON.stringify(before), type: 'changed_meanwhile' }]
    throw new Refusal('changedMeanwhile', {}, { detail })
  }
  if (before === plan_id) return { plan_id, name: plan.name, moved: false }
  await store.setOf(user_id, { plan_id: plan_id === DEFAULT_PLAN ? null : plan_id })
  const left = await store.find(before)
  await recordAudit(trx, {
    action: 'user.plan',
    subject: { kind: 'user', id: user_id, name: user.nickname },
    before: { plan_id: before, plan: left?.name ?? null },
    after: { plan_id, plan: plan.name },
  })
  return { plan_id, name: plan.name, moved: true }
}

type UndoneMove = { subject_id: string; before: AuditValues; after: AuditValues }

/** Puts a person back into the plan that they were in; refused when they have been moved since. */
export const undoingMoves =
  (open: OpenDatabase) =>
  async ({ subject_id, before, after }: UndoneMove): Promise<void> => {
    const [to, seen] = [Number(before['plan_id']), Number(after['plan_id'])]
    await open.transaction(trx => moveIntoPlan(trx, Number(subject_id), to, { engine: open.engine, seen }))
  }
