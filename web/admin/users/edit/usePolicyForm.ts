import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changePolicy, type PersonPolicy, type PolicyChanges, readPolicy } from '#contract/planPeople.ts'
import { movePerson, type ValueOrigin } from '#contract/plans.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { useChanges } from '#web/admin/form/useChanges.ts'
import { COMMON, inheritedOf } from '#web/admin/plans/fields/planDraft.ts'
import type { ValueForm } from '#web/admin/plans/fields/valueForm.ts'
import {
  identityOf,
  isLimitField,
  limitField,
  type LimitIdentity,
  plansQuery,
  usePlans,
} from '#web/admin/plans/values/plans.ts'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** With the person's other queries, so that what changes one reads all of them again. */
export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'policy'],
    queryFn: ({ signal }) => call(readPolicy, { params: { id } }, { signal }),
    meta: { quiet: true },
  })

export function usePolicy(id: number): PersonPolicy | undefined {
  return useQuery(policyQuery(String(id))).data
}

type PolicyFields = Readonly<Record<string, unknown>>

/** Counts in all and of one model, and rates over all models: those have fields of their own with each source. */
export const isOfSourceTab = ({ unit, window, models }: LimitIdentity): boolean =>
  unit === 'asks' &&
  ((window.kind === 'ever' && (models === null || models.length === 1)) ||
    (window.kind === 'rolling' && models === null))

const isOwn = (origin: ValueOrigin): boolean => origin.from === 'own'

/** Null: inherited. */
function fieldsOf(policy: PersonPolicy): PolicyFields {
  const common = COMMON.map(field => [field, isOwn(policy[field].origin) ? policy[field].value : null])
  const limits = policy.limits
    .filter(limit => isOwn(limit.origin) && !isOfSourceTab(limit))
    .map(limit => [limitField(limit), limit.amount])
  return { plan_id: policy.plan.plan_id, ...Object.fromEntries([...common, ...limits]) }
}

/** The plan of a person, and what they have of their own besides what is with each source. */
export function usePolicyForm(user_id: number): ValueForm | null {
  const t = useTranslate()
  const id = String(user_id)
  const { data: policy } = useQuery(policyQuery(id))
  const { plans = [] } = usePlans()
  const stored = useMemo<PolicyFields>(() => (policy === undefined ? NONE : fieldsOf(policy)), [policy])
  const changes = useChanges<PolicyFields>({
    stored,
    async save(changed, seen) {
      if ('plan_id' in changed) await call(movePerson, { params: { id }, body: { plan_id: Number(changed.plan_id) } })
      if (Object.keys(changed).some(name => name !== 'plan_id'))
        await call(changePolicy, { params: { id }, body: sentOf(changed, seen, policy) })
      void queryClient.invalidateQueries(plansQuery)
    },
    async reload() {
      const read = await queryClient.fetchQuery({ ...policyQuery(id), staleTime: 0 })
      void queryClient.invalidateQueries({ queryKey: listKey(listUserPage) })
      void queryClient.invalidateQueries({
        queryKey: ['admin', 'user', id],
        predicate: ({ queryKey }) => queryKey[3] !== 'policy',
      })
      return fieldsOf(read)
    },
  })
  if (policy === undefined) return null
  const plan = plans.find(each => each.plan.id === changes.values.plan_id)?.plan
  const known = [...(plan?.in_force.limits ?? []), ...policy.limits].filter(limit => limit.amount >= 0)
  const names = [...known.map(limitField), ...Object.keys(changes.values).filter(isLimitField)]
  const untilOf = (name: string) =>
    isLimitField(name) ? policy.limits.find(limit => limitField(limit) === name)?.until : null
  return {
    changes,
    inherited: name => inheritedOf(plan, name),
    stored: name => stored[name] ?? null,
    limits: [...new Set(names)].filter(name => !isOfSourceTab(identityOf(name))),
    own: name => {
      const until = untilOf(name)
      return until == null ? t('person.own') : t('person.ownUntil', { until_at: until })
    },
  }
}

const NONE: PolicyFields = {}

/** What is sent, with what was in force of it as it was seen. */
function sentOf(
  changed: Partial<PolicyFields>,
  seen: Partial<PolicyFields>,
  policy: PersonPolicy | undefined,
): PolicyChanges {
  const limits = Object.keys(changed).filter(isLimitField)
  const common = COMMON.filter(field => field in changed)
  const amountIn = (name: string, own: unknown): number | null =>
    typeof own === 'number' ? own : (policy?.limits.find(limit => limitField(limit) === name)?.amount ?? null)
  const body: Record<string, unknown> = {
    ...Object.fromEntries(common.map(field => [field, changed[field] ?? null])),
    ...(limits.length > 0 && { limits: limits.map(name => ({ ...identityOf(name), amount: changed[name] ?? null })) }),
    expected: {
      ...(common.length > 0 && {
        common: Object.fromEntries(common.map(field => [field, seen[field] ?? policy?.[field].value ?? null])),
      }),
      ...(limits.length > 0 && {
        limits: limits.map(name => ({ ...identityOf(name), amount: amountIn(name, seen[name]) })),
      }),
    },
  }
  return body as PolicyChanges // the server parses it
}
