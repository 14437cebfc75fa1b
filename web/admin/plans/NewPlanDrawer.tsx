import { Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { createPlan, DEFAULT_PLAN, type Plan } from '#contract/plans.ts'
import { AskBeforeLeaving } from '#web/admin/form/AskBeforeLeaving.tsx'
import { call } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useForm } from '#web/users/useForm.ts'
import { Drawer } from '../drawer/Drawer.tsx'
import { DrawerRow, DrawerSection, UnitInput } from '../drawer/rows.tsx'
import styles from './plans.module.css'
import { usePlanName } from './values/Origin.tsx'
import { inTree, plansQuery } from './values/plans.ts'

type NewPlanDrawerProps = { plans: readonly Plan[]; onClose(): void; onMade(id: number): void }

/** A name and the plan above: all else is inherited until it is changed. */
export function NewPlanDrawer({ plans, onClose, onMade }: NewPlanDrawerProps) {
  const t = useTranslate()
  const planName = usePlanName()
  const { name, parent, mistakes, pending, change, submit } = useForm(
    { name: '', parent: String(DEFAULT_PLAN) },
    {
      check: form => (form.name.trim() === '' ? { name: t('plans.nameMissing') } : {}),
      async send(form) {
        const made = await call(createPlan, { body: { name: form.name.trim(), parent_id: Number(form.parent) } })
        await queryClient.invalidateQueries(plansQuery)
        onMade(made.id)
      },
      onRefusal: refusal => ({ name: refusalText(refusal) }),
    },
  )
  return (
    <Drawer head={{ title: t('plans.add'), context: t('plans.add.context'), isNew: true }} onClose={onClose}>
      <form onSubmit={event => void submit(event)} noValidate>
        <AskBeforeLeaving count={name !== '' && !pending ? 1 : 0} />
        <DrawerSection>
          <DrawerRow label={t('plans.name')}>
            {id => (
              <UnitInput
                id={id}
                inputMode="text"
                maxLength={64}
                data-testid="plan-name"
                value={name}
                error={mistakes.name}
                onChange={value => change({ name: value })}
              />
            )}
          </DrawerRow>
          <DrawerRow label={t('plans.parent')}>
            {id => (
              <NativeSelect
                id={id}
                size="xs"
                value={parent}
                data={inTree(plans).map(({ plan }) => ({ value: String(plan.id), label: planName(plan) }))}
                onChange={event => change({ parent: event.currentTarget.value })}
              />
            )}
          </DrawerRow>
        </DrawerSection>
        <div className={styles.buttons}>
          <Button type="submit" size="xs" loading={pending} data-testid="create-plan">
            {t('plans.add')}
          </Button>
        </div>
      </form>
    </Drawer>
  )
}
