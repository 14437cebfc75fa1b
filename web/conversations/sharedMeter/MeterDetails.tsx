import type { AccountMeter } from '#contract/status.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Ruler.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { UsageDots } from '#web/kit/Dots.tsx'
import { type Fullness as Degree, fullnessOf, placesOf, type Queued, returnSteps, waitAt } from './account.ts'
import styles from './sharedMeter.module.css'
import { useAccountName, useMeterWords } from './meterWords.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { useState } from 'react'
import { useSharedMeter } from './useSharedMeter.ts'

/** More of one shared account: when how many return, and who is in line. */
export function MeterDetails({ account, alone, now }: { account: AccountMeter; alone: boolean; now: string }) {
  const t = useTranslate()
  const around = useTranslateAround()
  const name = useAccountName(account, alone)
  const words = useMeterWords(account)
  const { used, allowed, window_seconds, returns, line, running, waiting } = account
  const fullness = fullnessOf(account)
  const isPutOff = account.paused || account.cooling_until !== null
  const usedParts = allowed === null ? words.used : around('meter.used', 'used', { window_seconds, used, allowed })
  const unnamed = running + waiting - line.length
  return (
    <section className={styles.details}>
      <div className={styles.head}>
        <strong>{name}</strong>
        {fullness !== null && !(fullness === 'calm' && isPutOff) && <Fullness fullness={fullness} />}
        <span className={styles.aside}>{t('meter.updated', { time: formatTimeOfDay(new Date(now)) })}</span>
      </div>
      {allowed !== null && <Ruler used={used} allowed={allowed} text={usedParts.join('')} />}
      <p>
        <Emphasised parts={usedParts} />
      </p>
      {returns.length > 0 && allowed !== null && (
        <p className={styles.hint}>{returnSteps(returns, formatTimeOfDay).map(returnWords).join(t('kit.comma'))}</p>
      )}
      {(line.length === 0 || isPutOff) && <p className={styles.hint}>{words.line}</p>}
      <ol>
        {placesOf(account).map((queued, at) => (
          <Row key={at} queued={queued} account={account} />
        ))}
        {unnamed > 0 && <li className={styles.hint}>{t('meter.more', { count: unnamed })}</li>}
      </ol>
    </section>
  )

  function returnWords({ time, count, at_once }: ReturnType<typeof returnSteps>[number]): string {
    return t(at_once ? 'meter.returns' : 'meter.returnsFrom', { time, count })
  }
}

function Row({ queued: { nickname, is_me, place }, account }: { queued: Queued; account: AccountMeter }) {
  const t = useTranslate()
  const wait = place === null ? null : waitAt(place, account)
  return (
    <li className={styles.row}>
      <UsageDots dots={[is_me ? 'you' : place === null ? 'busy' : 'waiting']} />
      <span className={is_me ? styles.you : styles.name}>
        {is_me ? t('meter.you') : (nickname ?? t('meter.somebody'))}
      </span>
      <span className={styles.aside}>{stateText()}</span>
    </li>
  )

  function stateText(): string {
    if (place === null) return t('meter.replying')
    return wait === null ? t('meter.place', { place }) : t('meter.placeEstimate', { place, estimate_seconds: wait })
  }
}

const TONES = { calm: 'green', warm: 'amber', full: 'red' } as const satisfies Record<Degree, string>

/** The word that the colour of the ruler stands for. */
export function Fullness({ fullness }: { fullness: Degree }) {
  const t = useTranslate()
  return <Tag tone={TONES[fullness]}>{t(`meter.${fullness}`)}</Tag>
}

type MeterPopoverProps = {
  /** What the button that opens it names. */
  id: string
  /** Where the button is: at the foot of the list, or in the header. */
  from: 'foot' | 'header'
}

/** Lies above everything until there is a click elsewhere; opening, closing and the focus are the browser's own. */
export function MeterPopover({ id, from }: MeterPopoverProps) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  const { accounts = [], now = '' } = useSharedMeter() ?? {}
  return (
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-label={t('meter.title')}
      className={`${styles.popover} ${from === 'foot' ? styles.fromFoot : styles.fromHeader}`}
      data-testid="meter-popover"
      onToggle={event => setOpen(event.newState === 'open')}
    >
      {open &&
        accounts.map(account => (
          <MeterDetails key={account.upstream_id} account={account} alone={accounts.length === 1} now={now} />
        ))}
    </div>
  )
}
