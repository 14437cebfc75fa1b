import { Fragment, useState } from 'react'
import { Button } from '@mantine/core'
import { LONG_WAIT_SECONDS } from '#contract/longWait.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { rounded } from '#web/conversations/sharedMeter/account.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NoticeOffer } from '#web/notices/lazyNotices.ts'
import { IconDoorExit } from '#web/kit/icons.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { useSecondsSince } from '#web/foundation/times.ts'
import type { Ask } from '../asks/askState.ts'
import styles from './queue.module.css'

const ignore = () => undefined

type QueuePanelProps = { position: number; estimate_seconds: number | null; cooling_until?: string; onLeave(): void }

/** Shown where the answer will be: the position, the estimate, and that the answer starts by itself. */
export function QueuePanel({ position, estimate_seconds, cooling_until, onLeave }: QueuePanelProps) {
  const t = useTranslate()
  const momentText = useMomentText()
  const estimate = roundedEstimate(estimate_seconds)
  const longest = useLongWait(estimate_seconds)
  return (
    <section className={styles.queue} aria-live="polite">
      <p className={styles.position}>
        {estimate === null
          ? t('ask.placeOnly', { place: position })
          : t('ask.place', { place: position, estimate_seconds: estimate })}
      </p>
      <p className={styles.queueText}>
        {cooling_until === undefined ? t('ask.queueText') : t('ask.coolingText', { time: momentText(cooling_until) })}
      </p>
      <Seats position={position} />
      <Button variant="default" size="xs" leftSection={<IconDoorExit size={14} aria-hidden />} onClick={onLeave}>
        {t('ask.leaveQueue')}
      </Button>
      {longest !== null && <NoticeOffer wait_seconds={longest} needed={false} onLoadError={ignore} />}
    </section>
  )
}

/** The first estimate of more than a minute: what is offered then stays while the wait gets shorter. */
function useLongWait(seconds: number | null): number | null {
  const [long, setLong] = useState<number | null>(null)
  if (long === null && seconds !== null && seconds >= LONG_WAIT_SECONDS) setLong(seconds)
  return long
}

/** Seconds, rounded like those of the shared meter; null when they are unknown or zero. */
export function roundedEstimate(seconds: number | null): number | null {
  return seconds === null || seconds <= 0 ? null : rounded(seconds)
}

/** At most this many seats are drawn before one's own; the text has the number. */
const MAX_SEATS = 3

/** Draws who is answered before you as seats in a row. The text beside it says the same. */
function Seats({ position }: { position: number }) {
  const t = useTranslate()
  const before = Array.from({ length: Math.min(position - 1, MAX_SEATS) }, (_, at) => at + 1)
  return (
    <div className={styles.seats} aria-hidden="true">
      <span className={styles.seat}>
        <span className={styles.busySeat} />
        {t('ask.replyingSeat')}
      </span>
      {before.map(at => (
        <Fragment key={at}>
          <span className={styles.stretch} />
          <span className={styles.seat}>
            <span className={styles.waitingSeat} />
            {at}
          </span>
        </Fragment>
      ))}
      <span className={styles.stretch} />
      <span className={`${styles.seat} ${styles.you}`}>
        <span className={styles.yourSeat} />
        {t('ask.you')}
      </span>
    </div>
  )
}

/** Seconds after which the waiting time is shown. */
const COUNT_FROM = 3

/** The question is sent and no answer has come yet: a dot where the answer will be. */
export function Thinking({ ask }: { ask: Ask }) {
  const t = useTranslate()
  const seconds = useSecondsSince(ask.since)
  return (
    <div className={styles.thinking}>
      <BreathingDot size={9} />
      <span>{t(ask.state.phase === 'sending' ? 'ask.sending' : 'ask.thinking')}</span>
      {seconds >= COUNT_FROM && <span className={styles.seconds}>{t('message.seconds', { count: seconds })}</span>}
    </div>
  )
}
