import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { previewPlan, type PlanPreview } from '#contract/planPeople.ts'
import { changePlan, type Plan, type PlanChanges } from '#contract/plans.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { type Changes, useChanges } from '#web/admin/form/useChanges.ts'
import { listKey } from '#web/admin/table/useList.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { ValueForm } from './fields/valueForm.ts'
import { changesOf, fieldsOf, inheritedOf, limitFields, type PlanFields } from './fields/planDraft.ts'
import { plansQuery } from './values/plans.ts'

/** Milliseconds without a change before it is asked whom it reaches. */
const SETTLED = 500

export type Spared = { user_ids: number[]; until: string } | null

export type PlanForm = ValueForm & {
  plan: Plan
  parent: Plan | undefined
  /** Of what is changed now; null while it is not known, or nothing is changed. */
  effect: PlanPreview | null
  /** Of what is changed: what moves shares. */
  weights: PlanChanges
  /** Asks whom it reaches; stores it when nobody is blocked. */
  save(): Promise<'saved' | 'asks' | 'refused'>
  saveAnyway(spared: Spared): Promise<boolean>
}

/** The form of a plan. What is changed reaches everybody who inherits it, so it is asked first who would be blocked. */
export function usePlanForm(plan: Plan, plans: readonly Plan[]): PlanForm {
  const t = useTranslate()
  const stored = useMemo(() => fieldsOf(plan), [plan])
  // Set in the same event in which it is sent.
  const spare = useRef<PlanChanges['spare']>(undefined)
  const changes = useChanges<PlanFields>({
    stored,
    wrong: ({ name }) => (typeof name === 'string' && name.trim() !== '' ? 0 : 1),
    async save(changed, expected) {
      await store(plan.id, {
        ...changesOf(changed, { ...stored, ...changed }),
        ...(spare.current !== undefined && { spare: spare.current }),
        expected: changesOf(expected, { ...stored, ...expected }),
      })
      toast.success(t('plans.saved', { name: String(changed.name ?? plan.name) }))
    },
    async reload() {
      const read = await queryClient.fetchQuery({ ...plansQuery, staleTime: 0 })
      return fieldsOf(read.find(({ id }) => id === plan.id) ?? plan)
    },
  })
  const parent = plans.find(({ id }) => id === changes.values.parent_id)
  const body = changes.count === 0 ? null : bodyOf(changes)
  const effect = useEffectOf(plan.id, body)
  const readEffect = () => fetchEffect(plan.id, body)
  return {
    plan,
    parent,
    changes,
    effect,
    weights: { share_weight: body?.share_weight, may_borrow: body?.may_borrow },
    inherited: name => inheritedOf(parent, name),
    stored: name => stored[name] ?? null,
    limits: limitFields(changes.values, parent),
    own: () => t('plans.own'),
    async save() {
      try {
        const { blocked } = (await readEffect()) ?? { blocked: [] }
        if (blocked.length > 0) return 'asks'
      } catch (error) {
        if (!(error instanceof RefusedCall)) {
          reportFailure(error)
          return 'refused'
        }
        // The call that stores it says the same, at the field.
      }
      spare.current = undefined
      return (await changes.save()) ? 'saved' : 'refused'
    },
    async saveAnyway(spared) {
      spare.current = spared?.user_ids.map(user_id => ({ user_id, until: spared.until }))
      return changes.save()
    },
  }
}

function bodyOf({ changed, values }: Changes<PlanFields>): PlanChanges {
  return changesOf(Object.fromEntries(changed.map(name => [name, values[name] ?? null])), values)
}

async function store(id: number, body: PlanChanges): Promise<void> {
  await call(changePlan, { params: { id: String(id) }, body })
  void queryClient.invalidateQueries({ queryKey: listKey(listUserPage) })
}

const effectKey = (id: number, body: PlanChanges | null) => ['admin', 'plans', 'effect', id, body]

const fetchEffect = (id: number, body: PlanChanges | null): Promise<PlanPreview | null> =>
  queryClient.fetchQuery({
    queryKey: effectKey(id, body),
    queryFn: ({ signal }) =>
      body === null ? null : call(previewPlan, { params: { id: String(id) }, body }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** Asked once nothing has been changed for a moment. What is wrong is said when it is saved. */
function useEffectOf(id: number, body: PlanChanges | null): PlanPreview | null {
  const text = JSON.stringify(body)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED)
    return () => clearTimeout(timer)
  }, [text])
  const isSettled = settled === text
  const { data } = useQuery({
    queryKey: effectKey(id, body),
    queryFn: ({ signal }) =>
      body === null ? null : call(previewPlan, { params: { id: String(id) }, body }, { signal }),
    enabled: body !== null && isSettled,
    retry: false,
    meta: { quiet: true },
  })
  return isSettled && body !== null ? (data ?? null) : null
}
