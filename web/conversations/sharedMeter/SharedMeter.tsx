import type { AccountMeter } from '#contract/status.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { UsageDots } from '#web/kit/Dots.tsx'
import { SharePill, ShareMeter } from '#web/shares/lazyShares.ts'
import { atFoot, accountFullness, mostWorthKnowing, dotsOf, pooled } from './account.ts'
import { FullnessTag } from './FullnessTag.tsx'
import { METER_POPOVERS, MeterPopover } from './MeterPopover.tsx'
import styles from './sharedMeter.module.css'
import { useAccountName, useMeterTexts } from './meterTexts.ts'
import { useSharedMeter } from './useSharedMeter.ts'

/**
 * At the foot of the list: who is being answered, who waits, and how much of the shared accounts is used. A click shows
 * the details.
 */
export function SharedMeter() {
  const t = useTranslate()
  const accounts = pooled(useSharedMeter()?.accounts ?? [])
  if (accounts.length === 0) return null
  const shown = atFoot(accounts)
  const others = accounts.length - shown.length
  return (
    <section className={styles.card} aria-label={t('meter.title')}>
      {shown.map(({ pool, ...account }) =>
        pool === null ? (
          <Account key={account.upstream_id} account={{ ...account, pool }} alone={accounts.length === 1} />
        ) : (
          <SharedAccount key={account.upstream_id} account={{ ...account, pool }} alone={accounts.length === 1} />
        ),
      )}
      {others > 0 && <p className={styles.hint}>{t('meter.others', { count: others })}</p>}
      <button
        type="button"
        className={styles.whole}
        popoverTarget={METER_POPOVERS.foot}
        aria-label={t('meter.details')}
        data-testid="meter-details"
      />
      <MeterPopover from="foot" />
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

type SharedAccountProps = { account: AccountMeter & { pool: number }; alone: boolean }

/** Of which everybody has a part. */
function SharedAccount({ account, alone }: SharedAccountProps) {
  const { users } = useMeterTexts(account)
  const name = useAccountName(account, alone)
  const dots = <UsageDots dots={dotsOf(account)} />
  return (
    <div data-testid="shared-meter">
      <ShareMeter
        pool={account.pool}
        name={name}
        dots={dots}
        users={users}
        fallback={
          <div className={styles.head}>
            <strong>{name}</strong>
            {dots}
          </div>
        }
        onLoadError={() => undefined}
      />
    </div>
  )
}

/** The meter of a narrow screen: one dot and the figure. A click shows the details. */
export function MeterPill() {
  const t = useTranslate()
  const accounts = pooled(useSharedMeter()?.accounts ?? [])
  const account = mostWorthKnowing(accounts)
  if (account === undefined) return null
  const { used, allowed, running, waiting, pool } = account
  const dots = dotsOf(account)
  const figure = allowed === null ? t('meter.people', { count: running + waiting }) : t('meter.pill', { used, allowed })
  const plain = (
    <>
      <UsageDots dots={[dots.includes('you') ? 'you' : (dots[0] ?? 'free')]} />
      <span>{figure}</span>
    </>
  )
  return (
    <>
      <button
        type="button"
        className={styles.pill}
        data-fullness={pool === null ? accountFullness(account) : undefined}
        popoverTarget={METER_POPOVERS.header}
        data-testid="meter-pill"
        aria-label={pool === null ? `${t('meter.details')} ${figure}` : undefined}
      >
        {pool !== null && <span className="visually-hidden">{t('meter.details')}</span>}
        {pool === null ? plain : <SharePill pool={pool} fallback={plain} onLoadError={() => undefined} />}
      </button>
      <MeterPopover from="header" />
    </>
  )
}
