import { Button } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { PageHead } from '../shell/Page.tsx'
import { ListLayout } from '../table/ListLayout.tsx'
import { useListAddress } from '../table/useListAddress.ts'
import { DeletePlanDialog } from './DeletePlanDialog.tsx'
import { InvitationList } from './InvitationList.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { NewPlanDrawer } from './NewPlanDrawer.tsx'
import { PeopleListDialog } from './PeopleListDialog.tsx'
import { PlanDrawer } from './PlanDrawer.tsx'
import styles from './plans.module.css'
import { PlanTable } from './PlanTable.tsx'
import { SplitByWeights } from './SplitByWeights.tsx'
import { usePlans } from './values/plans.ts'

/** The list has no filters: only the open plan is kept in the address. */
const NO_FILTERS = z.object({})
/** The `open` of the address while a plan is added. */
const NEW = 'new'

/** The plans as a tree, each beside it in a drawer; below them the invitations. */
export function PlansScreen() {
  const t = useTranslate()
  const { plans, error, reload } = usePlans()
  const { opened, open } = useListAddress(NO_FILTERS)
  const [dialog, setDialog] = useState<'invite' | 'list' | 'delete' | null>(null)
  const closeDialog = () => setDialog(null)
  const all = plans?.map(({ plan }) => plan) ?? []
  const plan = all.find(({ id }) => String(id) === opened)
  const close = () => open(null)
  return (
    <ListLayout
      head={
        <PageHead title={t('admin.plan')} context={t('plans.context')}>
          <Button size="xs" variant="default" data-testid="people-list" onClick={() => setDialog('list')}>
            {t('plans.list')}
          </Button>
          <Button size="xs" variant="default" data-testid="invite" onClick={() => setDialog('invite')}>
            {t('plans.invite')}
          </Button>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
            data-testid="add-plan"
            onClick={() => open(NEW)}
          >
            {t('plans.add')}
          </Button>
        </PageHead>
      }
      drawer={
        <>
          {opened === NEW && <NewPlanDrawer plans={all} onClose={close} onMade={id => open(String(id))} />}
          {plan !== undefined && (
            <PlanDrawer
              key={plan.id}
              plan={plan}
              plans={all}
              onOpen={id => open(String(id))}
              onRemove={() => setDialog('delete')}
              onClose={close}
            />
          )}
        </>
      }
    >
      {plans === undefined && error !== null && <NotLoaded error={error} onRetry={reload} />}
      {plans !== undefined && <PlanTable plans={plans} opened={opened} onOpen={id => open(String(id))} />}
      <p className={styles.legend}>
        <span className={styles.own}>{t('plans.legend.own')}</span> {t('plans.legend')}
      </p>
      <SplitByWeights plans={all} />
      <InvitationList plans={all} />
      {dialog === 'invite' && <InviteDialog plans={all} onClose={closeDialog} />}
      {dialog === 'list' && <PeopleListDialog onClose={closeDialog} />}
      {dialog === 'delete' && plan !== undefined && (
        <DeletePlanDialog plan={plan} plans={all} onClose={closeDialog} onRemoved={close} />
      )}
    </ListLayout>
  )
}
