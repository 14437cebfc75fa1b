import { Fragment, useState } from 'react'
import { Button } from '@mantine/core'
import { askQuietNow } from '#contract/quietAsks.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './queue.module.css'

export type QuietPanelProps = {
  ask_id: string
  /** Of whoever waits for their turn; all of them are before it. */
  position: number
  until: string
  likely_at: string | null
  onWithdraw(): void
}

/** Shown where the answer will be: that it waits until nobody else does, what that costs, and until when. */
export function QuietPanel({ ask_id, position, until, likely_at, onWithdraw }: QuietPanelProps) {
  const t = useTranslate()
  const momentText = useMomentText()
  const askNow = () => {
    call(askQuietNow, { params: { id: ask_id } }).catch(reportFailure)
  }
  const [now] = useState(() => Date.now())
  return (
    <section className={styles.queue} aria-live="polite" data-testid="quiet-panel">
      <p className={styles.position}>
        {likely_at === null || Date.parse(likely_at) <= now
          ? t('quiet.waits')
          : t('quiet.waitsLikely', { time: momentText(likely_at) })}
      </p>
      <p className={styles.queueText}>{t('quiet.text', { time: momentText(until) })}</p>
      <Seats before={position - 1} />
      <div className={styles.ways}>
        <Button variant="default" size="xs" data-testid="quiet-now" onClick={askNow}>
          {t('quiet.askNow')}
        </Button>
        <Button variant="subtle" color="gray" size="xs" data-testid="quiet-withdraw" onClick={onWithdraw}>
          {t('ask.withdraw')}
        </Button>
      </div>
    </section>
  )
}

/** At most this many who wait are drawn. */
const MAX_SEATS = 3

/** Whoever is answered and waits, and behind a stretch without an end oneself. */
function Seats({ before }: { before: number }) {
  const t = useTranslate()
  return (
    <div className={styles.seats} aria-hidden="true">
      <span className={styles.seat}>
        <span className={styles.busySeat} />
        {t('ask.replyingSeat')}
      </span>
      {Array.from({ length: Math.min(before, MAX_SEATS) }, (_, at) => (
        <Fragment key={at}>
          <span className={styles.stretch} />
          <span className={styles.seat}>
            <span className={styles.waitingSeat} />
            {at + 1}
          </span>
        </Fragment>
      ))}
      <span className={`${styles.stretch} ${styles.open}`} />
      <span className={`${styles.seat} ${styles.you}`}>
        <span className={styles.yourSeat} />
        {t('ask.you')}
      </span>
    </div>
  )
}
