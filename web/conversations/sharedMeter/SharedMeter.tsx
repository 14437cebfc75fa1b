import { useId } from 'react'
import type { AccountMeter } from '#contract/status.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { UsageDots } from '#web/kit/Dots.tsx'
import { atFoot, accountFullness, mostWorthKnowing, dotsOf } from './account.ts'
import { FullnessTag, MeterPopover } from './MeterDetails.tsx'
import styles from './sharedMeter.module.css'
import { useAccountName, useMeterTexts } from './meterTexts.ts'
import { useSharedMeter } from './useSharedMeter.ts'

/**
 * At the foot of the list: who is being answered, who waits, and how much of the shared accounts is used. A click shows
 * the details.
 */
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
  const texts = useMeterTexts(account)
  const { used, allowed, running, places } = account
  const fullness = accountFullness(account)
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
      aria-valuetext={`${texts.used.join('')}${t('kit.comma')}${texts.users}`}
    >
      <div className={styles.head}>
        <strong>{name}</strong>
        {fullness !== null && fullness !== 'calm' && <FullnessTag fullness={fullness} />}
        <UsageDots dots={dotsOf(account)} />
      </div>
      {allowed !== null && (
        <span aria-hidden="true">
          <UsageMeter used={used} allowed={allowed} text={texts.used.join('')} />
        </span>
      )}
      <p>
        <Emphasised parts={texts.used} />
      </p>
      <p className={styles.hint}>{texts.users}</p>
    </div>
  )
}

/** The meter of a narrow screen: one dot and the figure. A click shows the details. */
export function MeterPill() {
  const t = useTranslate()
  const details = useId()
  const accounts = useSharedMeter()?.accounts ?? []
  const account = mostWorthKnowing(accounts)
  if (account === undefined) return null
  const { used, allowed, running, waiting } = account
  const dots = dotsOf(account)
  const figure = allowed === null ? t('meter.people', { count: running + waiting }) : t('meter.pill', { used, allowed })
  return (
    <>
      <button
        type="button"
        className={styles.pill}
        data-fullness={accountFullness(account)}
        popoverTarget={details}
        data-testid="meter-pill"
        aria-label={`${t('meter.details')} ${figure}`}
      >
        <UsageDots dots={[dots.includes('you') ? 'you' : (dots[0] ?? 'free')]} />
        <span>{figure}</span>
      </button>
      <MeterPopover id={details} from="header" />
    </>
  )
}
