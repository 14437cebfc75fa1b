import type { ReactNode } from 'react'
import { useMomentText } from '#web/foundation/moments.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { ownLeft } from './bar.ts'
import { useShare } from './queries.ts'
import { BarPieces, ShareBar } from './ShareBar.tsx'
import styles from './shares.module.css'
import { useShareAmounts, useShareSentence } from './shareTexts.ts'
import { shareState, tightestWindow, waitsUntil } from './state.ts'
import { StateTag } from './StateTag.tsx'

type ShareMeterProps = {
  /** The account by its id of the meter. */
  pool: number
  name: string
  /** Who is answered and who waits, as dots. */
  dots: ReactNode
  /** The same in words. */
  users: string
}

/** At the foot of the list: the account in one bar and one sentence. The tightest window speaks. */
export function ShareMeter({ pool, name, dots, users }: ShareMeterProps) {
  const share = useShare(pool)
  const sentence = useShareSentence({ currency: share?.currency ?? '' })
  const window = share && tightestWindow(share)
  const parts = window && sentence(window)
  const isCalm = share === undefined || shareState(share) === 'normal'
  return (
    <div className={styles.account}>
      <div className={styles.head}>
        <strong>{name}</strong>
        {isCalm ? dots : <StateTag share={share} />}
      </div>
      {share === undefined || window === undefined ? (
        <span className={styles.bar} aria-hidden="true">
          <i className={styles.free} style={{ flexGrow: 1 }} />
        </span>
      ) : (
        <ShareBar name={name} window={window} currency={share.currency} />
      )}
      {parts && (
        <p className={styles.sentence}>
          <Emphasised parts={parts} />
        </p>
      )}
      <p className={styles.hint}>{users}</p>
    </div>
  )
}

/** In a narrow header: a small bar, and what is left of mine or when the next comes. */
export function SharePill({ pool, fallback }: { pool: number; fallback: ReactNode }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const share = useShare(pool)
  const { short } = useShareAmounts(share?.currency ?? '')
  const window = share && tightestWindow(share)
  if (share === undefined || window === undefined) return fallback
  const state = shareState(share)
  const until = waitsUntil(share)
  return (
    <>
      <span className={styles.small}>
        <BarPieces window={window} currency={share.currency} />
      </span>
      <span>{text()}</span>
    </>
  )

  function text(): string {
    if (state === 'full' || state === 'waiting') return until === null ? t(`shares.state.${state}`) : momentText(until)
    if (state === 'borrowing') return t('shares.state.borrowing')
    return window?.mine ? t('shares.pill', { left: short(window.unit, ownLeft(window.mine)) }) : ''
  }
}
