import { Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DEFAULT_PLAN, deletePlan, type Plan } from '#contract/plans.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { listKey } from '../table/useList.ts'
import { invitationsQuery } from './invitations.ts'
import styles from './plans.module.css'
import { usePlanName } from './values/Origin.tsx'
import { inTree, plansQuery } from './values/plans.ts'

type DeletePlanDialogProps = { plan: Plan; plans: readonly Plan[]; onClose(): void; onRemoved(): void }

function useOpenInvitations(plan_id: number): number {
  const { data = [] } = useQuery(invitationsQuery)
  return data.filter(invitation => invitation.plan_id === plan_id && invitation.state === 'open').length
}

/** Removes a plan; its people, its invitations and the plans below it go to another one. */
export function DeletePlanDialog({ plan, plans, onClose, onRemoved }: DeletePlanDialogProps) {
  const t = useTranslate()
  const planName = usePlanName()
  const [to, setTo] = useState(String(plan.parent_id ?? DEFAULT_PLAN))
  const [pending, setPending] = useState(false)
  const below = plans.filter(({ parent_id }) => parent_id === plan.id).length
  const invitations = useOpenInvitations(plan.id)
  const isEmpty = plan.people === 0 && below === 0 && invitations === 0
  const isBelow = (id: number | null): boolean =>
    id !== null && (id === plan.id || isBelow(plans.find(each => each.id === id)?.parent_id ?? null))
  const remove = async () => {
    setPending(true)
    try {
      await call(deletePlan, { params: { id: String(plan.id) }, query: isEmpty ? {} : { move_to: Number(to) } })
      void queryClient.invalidateQueries({ queryKey: listKey(listUserPage) })
      onRemoved()
      onClose()
      void queryClient.invalidateQueries(invitationsQuery)
      await queryClient.invalidateQueries(plansQuery)
      toast.success(t('plans.deleted', { name: plan.name }))
    } catch (error) {
      setPending(false)
      reportFailure(error)
    }
  }
  return (
    <Dialog width={420} title={t('plans.deleteAsk', { name: plan.name })} onClose={onClose} busy={pending}>
      <div className={styles.form}>
        <p>
          {isEmpty ? t('plans.deleteEmpty') : t('plans.deleteText', { count: plan.people, plans: below, invitations })}
        </p>
        {!isEmpty && (
          <NativeSelect
            size="sm"
            label={t('plans.moveTo')}
            value={to}
            data-testid="move-to"
            data={inTree(plans)
              .filter(({ plan: { id } }) => !isBelow(id))
              .map(({ plan: each }) => ({ value: String(each.id), label: planName(each) }))}
            onChange={event => setTo(event.currentTarget.value)}
          />
        )}
      </div>
      <DialogFooter>
        <Button variant="subtle" color="gray" data-autofocus onClick={onClose}>
          {t('kit.cancel')}
        </Button>
        <Button color="red" loading={pending} data-testid="delete-plan" onClick={() => void remove()}>
          {t('plans.delete')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
