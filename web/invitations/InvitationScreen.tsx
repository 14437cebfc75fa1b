import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type OfferedInvitation, readInvitation } from '#contract/joining.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { LanguagePicker } from '#web/kit/LanguagePicker.tsx'
import { Note } from '#web/kit/Note.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './InvitationScreen.module.css'
import { Offer } from './Offer.tsx'
import { JoinForm } from './JoinForm.tsx'

type InvitationScreenProps = {
  token: string
  /** Goes to another page of the portal. */
  onGo(path: '/login' | '/conversation'): void
}

/** What whoever opens the link of an invitation sees: who invites to what, and the form that makes an account. */
export function InvitationScreen({ token, onGo }: InvitationScreenProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token } }, { signal }),
    retry: false,
    // Somebody else may use it meanwhile: then the form says so.
    staleTime: Infinity,
    meta: { quiet: true },
  })
  const user = useSession(state => state.user)
  if (user !== null) return <SignedIn nickname={user.nickname} onGo={() => onGo('/conversation')} />
  if (error instanceof RefusedCall && error.key === 'invitationNotFound') return <Gone onGo={() => onGo('/login')} />
  if (error !== null)
    return (
      <section className={styles.card}>
        <NotLoaded error={error} onRetry={refetch} />
      </section>
    )
  if (data === undefined) return null
  return data.state === 'open' ? (
    <Open token={token} offered={data} onClosed={() => void refetch()} />
  ) : (
    <Closed offered={data} onGo={() => onGo('/login')} />
  )
}

type OpenProps = { token: string; offered: OfferedInvitation; onClosed(): void }

function Open({ token, offered, onClosed }: OpenProps) {
  const t = useTranslate()
  const { invited_by } = offered
  return (
    <section className={styles.card} data-testid="invited">
      <h1 className={styles.title}>
        {invited_by === null ? t('invitation.byNobody') : t('invitation.by', { nickname: invited_by })}
      </h1>
      <Offer plan={offered.plan} />
      <JoinForm token={token} onClosed={onClosed} />
      <p className={styles.foot}>
        <Terms offered={offered} />
      </p>
      <LanguagePicker />
    </section>
  )
}

/** Until when and how often it can be used. */
function Terms({ offered: { uses_left, end_time } }: { offered: OfferedInvitation }) {
  const t = useTranslate()
  const language = useLanguage()
  const uses = uses_left === 1 ? t('invitation.once') : t('invitation.left', { count: uses_left })
  return end_time === null
    ? t('invitation.noEnd', { uses })
    : t('invitation.untilDay', { uses, day: formatDate(new Date(end_time), language) })
}

type ClosedProps = { offered: OfferedInvitation; onGo(): void }

function Closed({ offered: { state, invited_by, end_time }, onGo }: ClosedProps) {
  const t = useTranslate()
  const language = useLanguage()
  if (state === 'used')
    return (
      <OneNote title={t('invitation.used')} verb={t('invitation.toLogin')} onGo={onGo}>
        {t('invitation.used.text')}
      </OneNote>
    )
  const day = end_time === null ? '' : formatDate(new Date(end_time), language)
  return (
    <OneNote title={t('invitation.expired')} verb={t('invitation.toLogin')} onGo={onGo}>
      {invited_by === null
        ? t('invitation.expired.textNobody', { day })
        : t('invitation.expired.text', { day, nickname: invited_by })}
    </OneNote>
  )
}

function Gone({ onGo }: { onGo(): void }) {
  const t = useTranslate()
  return (
    <OneNote title={t('invitation.gone')} verb={t('invitation.toLogin')} onGo={onGo}>
      {t('invitation.gone.text')}
    </OneNote>
  )
}

function SignedIn({ nickname, onGo }: { nickname: string; onGo(): void }) {
  const t = useTranslate()
  return (
    <OneNote title={t('invitation.signedIn', { nickname })} verb={t('invitation.toConversation')} onGo={onGo}>
      {t('invitation.signedIn.text')}
    </OneNote>
  )
}

type OneNoteProps = { title: string; verb: string; onGo(): void; children: ReactNode }

/** The page has a heading for those who cannot see the note. */
function OneNote({ title, verb, onGo, children }: OneNoteProps) {
  return (
    <section className={styles.card}>
      <h1 className="visually-hidden">{title}</h1>
      <Note
        title={title}
        actions={
          <Button size="xs" variant="default" onClick={onGo}>
            {verb}
          </Button>
        }
      >
        {children}
      </Note>
    </section>
  )
}
