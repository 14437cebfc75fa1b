import type { AccountMeter } from '#contract/status.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { UsageDots } from '#web/kit/Dots.tsx'
import { Emphasised } from '#web/kit/Note.tsx'
import { UsageMeter } from '#web/kit/UsageMeter.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { accountFullness, queueOf, type Queued, returnSteps, waitOf } from './account.ts'
import { FullnessTag } from './FullnessTag.tsx'
import { useAccountName, useMeterTexts } from './meterTexts.ts'
import styles from './MeterDetails.module.css'

const SharesPanel = lazyWithTexts('shares', () =>
  import('#web/shares/SharesPanel.tsx').then(module => module.SharesPanel),
)

/** The details of one shared account: when how many asks return, and who is in the queue. */
function MeterDetails({ account, alone, now }: { account: AccountMeter; alone: boolean; now: string }) {
  const t = useTranslate()
  const around = useTranslateAround()
  const name = useAccountName(account, alone)
  const texts = useMeterTexts(account)
  const { used, allowed, window_seconds, returns, line } = account
  const fullness = accountFullness(account)
  const isPutOff = account.paused || account.cooling_until !== null || account.cooling_models.length > 0
  const usedParts = allowed === null ? texts.used : around('meter.used', 'used', { window_seconds, used, allowed })
  return (
    <section className={styles.details}>
      <div className={styles.head}>
        <strong>{name}</strong>
        {fullness !== null && !(fullness === 'calm' && isPutOff) && <FullnessTag fullness={fullness} />}
        <span className={styles.aside}>{t('meter.updated', { time: formatTimeOfDay(new Date(now)) })}</span>
      </div>
      {allowed !== null && <UsageMeter used={used} allowed={allowed} text={usedParts.join('')} />}
      <p>
        <Emphasised parts={usedParts} />
      </p>
      {returns.length > 0 && allowed !== null && (
        <p className={styles.hint}>{returnSteps(returns, formatTimeOfDay).map(returnText).join(t('kit.comma'))}</p>
      )}
      {(line.length === 0 || isPutOff) && <p className={styles.hint}>{texts.users}</p>}
      <QueueRows account={account} />
    </section>
  )

  function returnText({ time, count, at_once }: ReturnType<typeof returnSteps>[number]): string {
    return t(at_once ? 'meter.returns' : 'meter.returnsFrom', { time, count })
  }
}

type PooledProps = { account: AccountMeter; pool: number; alone: boolean; now: string }

/** The same of an account of which everybody has a part. */
function SharedDetails({ account, pool, alone, now }: PooledProps) {
  const t = useTranslate()
  const { users } = useMeterTexts(account)
  return (
    <SharesPanel
      pool={pool}
      name={useAccountName(account, alone)}
      updated={t('meter.updated', { time: formatTimeOfDay(new Date(now)) })}
      queue={account.line.length === 0 ? <p className={styles.hint}>{users}</p> : <QueueRows account={account} />}
      onLoadError={() => undefined}
    />
  )
}

function QueueRows({ account }: { account: AccountMeter }) {
  const t = useTranslate()
  const { line, running, waiting } = account
  const unnamed = running + waiting - line.length
  return (
    <ol>
      {queueOf(account).map((queued, at) => (
        <Row key={at} queued={queued} account={account} />
      ))}
      {unnamed > 0 && <li className={styles.hint}>{t('meter.more', { count: unnamed })}</li>}
    </ol>
  )
}

function Row({ queued: { nickname, is_me, position }, account }: { queued: Queued; account: AccountMeter }) {
  const t = useTranslate()
  const wait = position === null ? null : waitOf(position, account)
  return (
    <li className={styles.row}>
      <UsageDots dots={[is_me ? 'you' : position === null ? 'busy' : 'waiting']} />
      <span className={is_me ? styles.you : styles.name}>
        {is_me ? t('meter.you') : (nickname ?? t('meter.somebody'))}
      </span>
      <span className={styles.aside}>{stateText()}</span>
    </li>
  )

  function stateText(): string {
    if (position === null) return t('meter.replying')
    return wait === null
      ? t('meter.place', { place: position })
      : t('meter.placeEstimate', { place: position, estimate_seconds: wait })
  }
}

/** Of every shared account. */
export function MeterAccounts({ accounts, now }: { accounts: readonly AccountMeter[]; now: string }) {
  return accounts.map(account => {
    const shown = { account, alone: accounts.length === 1, now }
    return account.pool === null ? (
      <MeterDetails key={account.upstream_id} {...shown} />
    ) : (
      <SharedDetails key={account.upstream_id} {...shown} pool={account.pool} />
    )
  })
}
