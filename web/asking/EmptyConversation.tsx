import { useState } from 'react'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useAllowance } from '#web/users/allowance.ts'
import { accountFullness, isFree, leastBusy, paceOf } from '#web/conversations/sharedMeter/account.ts'
import { useSharedMeter } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useSession } from '#web/foundation/session.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCode, IconFile, IconPencil } from '#web/kit/icons.ts'
import { Illustration } from '#web/kit/Illustration.tsx'
import { Note } from '#web/kit/Note.tsx'
import { limitOn } from './composer/limit.ts'
import { useModelChoice } from './conversation/modelChoice.ts'
import styles from './empty.module.css'
import { useOnline } from '#web/foundation/browserConnection.ts'

const SUGGESTIONS = [
  { icon: IconFile, title: 'empty.readFile', text: 'empty.readFileText' },
  { icon: IconPencil, title: 'empty.letter', text: 'empty.letterText' },
  { icon: IconCode, title: 'empty.error', text: 'empty.errorText' },
] as const

/** The start screen: a greeting, whether a place is free, and suggestions to begin with. */
export function EmptyConversation({ onSuggest }: { onSuggest(text: string): void }) {
  const t = useTranslate()
  return (
    <div className={styles.empty} data-first-paint="empty">
      <div className={styles.welcome}>
        <Illustration lit />
        <Greeting />
        <SeatsLine />
      </div>
      <ul className={styles.suggestions}>
        {SUGGESTIONS.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <button type="button" onClick={() => onSuggest(t(text))}>
              <Icon size={16} aria-hidden />
              {t(title)}
            </button>
          </li>
        ))}
      </ul>
      <DemonstrationNote />
    </div>
  )
}

function Greeting() {
  const t = useTranslate()
  const name = useSession(({ user }) => user?.nickname ?? '')
  const now = useNow()
  return <h1 className={styles.greeting}>{t(`empty.${partOfDay(now.getHours())}`, { name })}</h1>
}

export function partOfDay(hour: number): 'morning' | 'noon' | 'afternoon' | 'evening' {
  if (hour >= 5 && hour < 11) return 'morning'
  if (hour >= 11 && hour < 13) return 'noon'
  return hour >= 13 && hour < 18 ? 'afternoon' : 'evening'
}

/** Whether a question asked now is answered at once, or how many wait; empty when none can be asked. */
function SeatsLine() {
  const t = useTranslate()
  const accounts = useSharedMeter()?.accounts ?? []
  const choice = useModelChoice(null)
  const allowance = useAllowance()?.allowance
  const online = useOnline()
  const account = choice === null ? undefined : leastBusy(accounts, choice.source)
  const mayAsk = online && choice !== null && (allowance === undefined || limitOn(allowance, choice, true) === null)
  return (
    <p className={styles.seats} data-testid="seats">
      {account !== undefined && mayAsk && accountFullness(account) !== 'full' && textOf(account)}
    </p>
  )

  function textOf(seats: (typeof accounts)[number]): string {
    if (isFree(seats)) return t('empty.free')
    const pace = paceOf(seats)
    if (seats.waiting === 0) return t('empty.busy')
    return pace === null
      ? t('empty.waiting', { count: seats.waiting })
      : t('empty.waitingPace', { count: seats.waiting, estimate_seconds: pace })
  }
}

/** Says that the built-in simulator answers, and how to connect a real model. */
export function DemonstrationNote() {
  const t = useTranslate()
  const portal = usePortal()
  const isSuperuser = useSession(({ user }) => user?.is_superuser === true)
  const [later, setLater] = useState(false)
  if (portal?.demonstration !== true || later) return null
  return (
    <Note
      tone="green"
      title={<strong>{t('demonstration.title')}</strong>}
      actions={
        <div className={styles.actions}>
          {isSuperuser && (
            <Button size="xs" component={Link} to="/admin/system" data-first-paint="superuser">
              {t('demonstration.go')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={() => setLater(true)}>
            {t('demonstration.later')}
          </Button>
        </div>
      }
    >
      <p>{t('demonstration.text')}</p>
      <p>{t('demonstration.connect')}</p>
    </Note>
  )
}
