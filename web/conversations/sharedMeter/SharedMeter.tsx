import { useId } from 'react'
import type { AccountMeter } from '#contract/status.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Ruler.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { UsageDots } from '#web/kit/Dots.tsx'
import { atFoot, fullnessOf, mostWorthKnowing, seatsOf } from './account.ts'
import { Fullness, MeterPopover } from './MeterDetails.tsx'
import styles from './sharedMeter.module.css'
import { useAccountName, useMeterWords } from './meterWords.ts'
import { useSharedMeter } from './useSharedMeter.ts'

/** At the foot of the list: who is being answered, who waits, and what of the shared account is used. A click tells more. */
export function SharedMeter() {
  const t = useTranslate()
  const details = useId()
  const accounts = useSharedMeter()?.accounts ?? []
  if (accounts.length === 0) return null
  const shown = atFoot(accounts)
  const others = accounts.length - shown.length
  return (
    <section className={styles.card} aria-label={t('meter.title')}>
      {shown.map(account => (
        <Account key={account.upstream_id} account={account} alone={accounts.length === 1} />
      ))}
      {others > 0 && <p className={styles.hint}>{t('meter.others', { count: others })}</p>}
      <button
        type="button"
        className={styles.whole}
        popoverTarget={details}
        aria-label={t('meter.details')}
        data-testid="meter-details"
      />
      <MeterPopover id={details} from="foot" />
    </section>
  )
}

function Account({ account, alone }: { account: AccountMeter; alone: boolean }) {
  const t = useTranslate()
  const words = useMeterWords(account)
  const { used, allowed, running, places } = account
  const fullness = fullnessOf(account)
  const [value, most] = allowed === null ? [running, places] : [used, allowed]
  const name = useAccountName(account, alone)
  return (
    <div
      className={styles.account}
      data-testid="shared-meter"
      role="meter"
      aria-label={name}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={Math.max(value, most)}
      aria-valuetext={`${words.used.join('')}${t('kit.comma')}${words.line}`}
    >
      <div className={styles.head}>
        <strong>{name}</strong>
        {fullness !== null && fullness !== 'calm' && <Fullness fullness={fullness} />}
        <UsageDots dots={seatsOf(account)} />
      </div>
      {allowed !== null && (
        <span aria-hidden="true">
          <Ruler used={used} allowed={allowed} text={words.used.join('')} />
        </span>
      )}
      <p>
        <Emphasised parts={words.used} />
      </p>
      <p className={styles.hint}>{words.line}</p>
    </div>
  )
}

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
        <UsageDots dots={[seats.includes('you') ? 'you' : (seats[0] ?? 'free')]} />
        {figure}
      </button>
      <MeterPopover id={details} from="header" />
    </>
  )
}
