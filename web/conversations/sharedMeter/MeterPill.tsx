import { useId } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Seats } from '#web/kit/Dots.tsx'
import { fullnessOf, mostWorthKnowing, seatsOf } from './account.ts'
import { MeterPopover } from './MeterPopover.tsx'
import styles from './sharedMeter.module.css'
import { useSharedMeter } from './useSharedMeter.ts'

/** The meter where there is no room for it: one seat and the figure. A click tells more. */
export function MeterPill() {
  const t = useTranslate()
  const details = useId()
  const accounts = useSharedMeter()?.accounts ?? []
  const account = mostWorthKnowing(accounts)
  if (account === undefined) return null
  const { used, allowed, running, waiting } = account
  const seats = seatsOf(account)
  const figure = allowed === null ? t('meter.people', { count: running + waiting }) : t('meter.pill', { used, allowed })
  return (
    <>
      <button
        type="button"
        className={styles.pill}
        data-fullness={fullnessOf(account)}
        popoverTarget={details}
        data-testid="meter-pill"
        aria-label={`${t('meter.details')} ${figure}`}
      >
        <Seats seats={[seats.includes('you') ? 'you' : (seats[0] ?? 'free')]} />
        {figure}
      </button>
      <MeterPopover id={details} from="header" />
    </>
  )
}
