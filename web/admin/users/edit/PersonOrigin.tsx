import { changePolicy, type PersonPolicy, type PolicyChanges } from '#contract/planPeople.ts'
import type { ValueOrigin } from '#contract/plans.ts'
import type { Source } from '#contract/models.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { Origin } from '#web/admin/plans/values/Origin.tsx'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { isOfSourceTab, usePolicy } from './usePolicyForm.ts'
import type { FieldRow } from './useUserForm.ts'

/** The fields of a source's tab that are inherited. */
const FIELDS = [
  'allow_to_use',
  'valid_until',
  'max_conv_count',
  'daily_available_time_slots',
  'available_models',
  'disable_uploading',
  'use_team',
  'allow_custom_openai_api',
  'total_ask_allowed',
  'rate_limits',
] as const
type OriginField = (typeof FIELDS)[number]

/** For the row of a field: nothing where it is not inherited at all. */
export function RowOrigin({ row: { person, changed } }: { row: FieldRow }) {
  const field = FIELDS.find(each => each === person?.field)
  if (person === undefined || field === undefined || changed) return null
  return <PersonOrigin id={person.id} source={person.source} field={field} />
}

type PersonOriginProps = { id: number; source: Source; field: OriginField }

/** Whose a value of a person is; one of their own is inherited again by one click, at once. */
function PersonOrigin({ id, source, field }: PersonOriginProps) {
  const t = useTranslate()
  const policy = usePolicy(id)
  const origin = policy === undefined ? null : originOf(policy, source, field)
  if (policy === undefined || origin === null) return null
  const inherit = async () => {
    try {
      await call(changePolicy, { params: { id: String(id) }, body: inheritedAgain(policy, source, field) })
      await queryClient.invalidateQueries({ queryKey: ['admin', 'user', String(id)] })
      void queryClient.invalidateQueries({ queryKey: listKey(listUserPage) })
      toast.success(t('person.inherited'))
    } catch (error) {
      reportFailure(error)
    }
  }
  const ofPlan = origin.from === 'own' ? policy.plan : origin
  return (
    <Origin
      inherited={{ text: '', origin: { from: 'plan', plan_id: ofPlan.plan_id, name: ofPlan.name } }}
      own={origin.from === 'own' ? t('person.own') : null}
      onInherit={() => void inherit()}
    />
  )
}

/** The limits that a field stands for. */
function limitsOf(policy: PersonPolicy, source: Source, field: OriginField) {
  const window = field === 'rate_limits' ? 'rolling' : 'ever'
  return policy.limits.filter(
    limit => limit.source === source && isOfSourceTab(limit) && limit.models === null && limit.window.kind === window,
  )
}

/** Null where nothing limits it. */
function originOf(policy: PersonPolicy, source: Source, field: OriginField): ValueOrigin | null {
  if (field !== 'total_ask_allowed' && field !== 'rate_limits') return policy[source][field].origin
  const limits = limitsOf(policy, source, field)
  return limits.find(({ origin }) => origin.from === 'own')?.origin ?? limits[0]?.origin ?? null
}

function inheritedAgain(policy: PersonPolicy, source: Source, field: OriginField): PolicyChanges {
  if (field !== 'total_ask_allowed' && field !== 'rate_limits') return { [source]: { [field]: null } }
  const own = limitsOf(policy, source, field).filter(({ origin }) => origin.from === 'own')
  return { limits: own.map(({ unit, window, models }) => ({ source, unit, window, models, amount: null })) }
}
