import { NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { SOURCES } from '#contract/models.ts'
import { DrawerRow } from '#web/admin/drawer/rows.tsx'
import { FieldRow } from '#web/admin/plans/fields/FieldRow.tsx'
import { LimitList } from '#web/admin/plans/fields/LimitList.tsx'
import { COMMON } from '#web/admin/plans/fields/planDraft.ts'
import type { ValueForm } from '#web/admin/plans/fields/valueForm.ts'
import { Origin, usePlanName } from '#web/admin/plans/values/Origin.tsx'
import { identityOf, usePlans } from '#web/admin/plans/values/plans.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { isOfSourceTab } from './usePolicyForm.ts'

/** The plan of a person, and the limits and values that are not of one source: each with whose it is. */
export function PlanTab({ form }: { form: ValueForm }) {
  const portal = usePortal()
  const limited = new Set(form.limits.map(name => identityOf(name).source))
  const sources = SOURCES.filter(
    source => limited.has(source) || portal?.sources.some(each => each.source === source && each.enabled),
  )
  return (
    <>
      <PlanRow form={form} />
      {sources.map(source => (
        <LimitList key={source} form={form} source={source} fits={identity => !isOfSourceTab(identity)} />
      ))}
      {COMMON.map(field => (
        <FieldRow key={field} form={form} field={field} />
      ))}
    </>
  )
}

function PlanRow({ form: { changes, stored } }: { form: ValueForm }) {
  const t = useTranslate()
  const planName = usePlanName()
  const { plans = [] } = usePlans()
  const options = plans.map(({ plan }) => ({ value: String(plan.id), label: planName(plan) }))
  const before = options.find(({ value }) => value === String(stored('plan_id')))?.label ?? t('plans.none')
  const isChanged = changes.isChanged('plan_id')
  return (
    <DrawerRow
      label={t('person.plan')}
      changed={isChanged}
      below={
        isChanged ? (
          <Origin inherited={null} own={null} change={{ before, onUndo: () => changes.undo('plan_id') }} />
        ) : (
          t('person.plan.help')
        )
      }
    >
      {id => (
        <NativeSelect
          id={id}
          size="xs"
          value={String(changes.values.plan_id)}
          data={options}
          data-testid="person-plan"
          onChange={event => changes.change({ plan_id: Number(event.currentTarget.value) })}
        />
      )}
    </DrawerRow>
  )
}
