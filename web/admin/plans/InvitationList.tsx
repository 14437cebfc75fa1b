import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invitation, revokeInvitation } from '#contract/invitations.ts'
import { DEFAULT_PLAN, type Plan } from '#contract/plans.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { invitationsQuery } from './invitations.ts'
import styles from './plans.module.css'
import { usePlanName } from './values/Origin.tsx'

/** Rows before the others are asked for. */
const FIRST_ROWS = 10

/** The invitations, open ones first; their links were shown once. */
export function InvitationList({ plans }: { plans: readonly Plan[] }) {
  const t = useTranslate()
  const { data = [] } = useQuery(invitationsQuery)
  const [isWhole, setWhole] = useState(false)
  if (data.length === 0) return null
  const ordered = [...data.filter(({ state }) => state === 'open'), ...data.filter(({ state }) => state !== 'open')]
  const shown = isWhole ? ordered : ordered.slice(0, FIRST_ROWS)
  return (
    <section className={styles.section} aria-labelledby="invitations">
      <h2 id="invitations">{t('invitations.title')}</h2>
      <ul>
        {shown.map(invitation => (
          <InvitationRow key={invitation.id} invitation={invitation} plans={plans} />
        ))}
      </ul>
      {shown.length < ordered.length && (
        <Button size="xs" variant="subtle" color="gray" className={styles.add} onClick={() => setWhole(true)}>
          {t('invitations.all', { count: ordered.length })}
        </Button>
      )}
    </section>
  )
}

function InvitationRow({ invitation, plans }: { invitation: Invitation; plans: readonly Plan[] }) {
  const t = useTranslate()
  const language = useLanguage()
  const planName = usePlanName()
  const { id, plan_id, uses, used, end_time, state, created_by } = invitation
  const plan = plans.find(each => each.id === (plan_id ?? DEFAULT_PLAN))
  const end = end_time === null ? t('invitations.noEnd') : formatDate(new Date(end_time), language)
  const isOpen = state === 'open'
  const revoke = async () => {
    const question = {
      title: t('invitations.revokeAsk'),
      text: t('invitations.revokeText'),
      verb: t('invitations.revoke'),
    }
    if (!(await confirm({ ...question, danger: true }))) return
    await call(revokeInvitation, { params: { id: String(id) } }).catch(reportFailure)
    await queryClient.invalidateQueries(invitationsQuery)
  }
  return (
    <li className={isOpen ? undefined : styles.closed} data-testid="invitation">
      <span>
        <b>{plan === undefined ? t('invitations.planGone') : planName(plan)}</b>
        <small>{t('invitations.by', { end, by: created_by?.nickname ?? '–' })}</small>
      </span>
      <span>{isOpen ? t('invitations.used', { used, uses }) : t(`invitations.state.${state}`)}</span>
      {isOpen ? (
        <Button size="xs" variant="subtle" color="gray" onClick={() => void revoke()}>
          {t('invitations.revoke')}
        </Button>
      ) : (
        <span />
      )}
    </li>
  )
}
