import { use } from 'react'
import { Button } from '@mantine/core'
import { clockText, useCountdown } from '#web/accounts/countdown.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCalendar, IconClock, IconInfoCircle, IconMessage } from '#web/kit/icons.ts'
import styles from './limit.module.css'
import { isUsedUp, type Limit, mustGo } from './limit.ts'
import { TidyList } from './tidyList.ts'
import type { Binding } from './useLimit.ts'
import { useLimitWords } from './useLimitWords.ts'

/** Joined to the composer: which rule keeps the next question waiting, when it opens, or the one thing that helps. */
export function LimitHead({ limit }: { limit: Binding }) {
  const { title, text } = useLimitWords(limit)
  const usedUp = isUsedUp(limit)
  const { opens_at } = limit.verdict
  return (
    <div
      className={`${styles.head} ${usedUp ? styles.amber : styles.tint}`}
      data-testid="limit-head"
      data-rule={limit.key}
    >
      {!usedUp && <RuleIcon limit={limit} />}
      <div className={styles.words} role="status">
        <p>{title}</p>
        {text !== '' && <p className={styles.text}>{text}</p>}
      </div>
      {opens_at !== null && <Countdown opens_at={opens_at} limit={limit} />}
      {limit.key === 'maxConversationCountReached' && mustGo(limit) !== null && <Tidy />}
    </div>
  )
}

function RuleIcon({ limit: { key } }: { limit: Limit }) {
  const Icon =
    key === 'userNotAllowToAskAtThisTime'
      ? IconClock
      : key === 'userChatTypeExpired'
        ? IconCalendar
        : key === 'maxConversationCountReached'
          ? IconMessage
          : IconInfoCircle
  return <Icon size={18} aria-hidden className={styles.icon} />
}

/** At its end the server is asked; nothing is sent by itself. */
function Countdown({ opens_at, limit }: { opens_at: string; limit: Binding }) {
  const t = useTranslate()
  const left = useCountdown(opens_at, limit.ahead_ms, limit.refresh)
  const clock = clockText(left)
  const words = t('limit.countdown', { left_seconds: Math.ceil(left / 1000) })
  return (
    <span
      className={clock === null ? styles.longWait : styles.countdown}
      role="timer"
      aria-live="off"
      aria-label={words}
      data-testid="countdown"
    >
      {clock ?? words}
    </span>
  )
}

function Tidy() {
  const t = useTranslate()
  const tidy = use(TidyList)
  return (
    <Button variant="default" size="xs" onClick={tidy}>
      {t('limit.goTidy')}
    </Button>
  )
}
