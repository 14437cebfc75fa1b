import { useState } from 'react'
import type { AccountMeter } from '#contract/status.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { UsageDots } from '#web/kit/Dots.tsx'
import { Emphasised } from '#web/kit/Note.tsx'
import { type Fullness, UsageMeter } from '#web/kit/UsageMeter.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { accountFullness, queueOf, type Queued, returnSteps, waitOf } from './account.ts'
import { useAccountName, useMeterTexts } from './meterTexts.ts'
import styles from './sharedMeter.module.css'
import { useSharedMeter } from './useSharedMeter.ts'

/** The details of one shared account: when how many asks return, and who is in the queue. */
export function MeterDetails({ account, alone, now }: { account: AccountMeter; alone: boolean; now: string }) {
  const t = useTranslate()
  const around = useTranslateAround()
  const name = useAccountName(account, alone)
  const texts = useMeterTexts(account)
  const { used, allowed, window_seconds, returns, line, running, waiting } = account
  const fullness = accountFullness(account)
  const isPutOff = account.paused || account.cooling_until !== null || account.cooling_models.length > 0
  const usedParts = allowed === null ? texts.used : around('meter.used', 'used', { window_seconds, used, allowed })
  const unnamed = running + waiting - line.length
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
      <ol>
        {queueOf(account).map((queued, at) => (
          <Row key={at} queued={queued} account={account} />
        ))}
        {unnamed > 0 && <li className={styles.hint}>{t('meter.more', { count: unnamed })}</li>}
      </ol>
    </section>
  )

  function returnText({ time, count, at_once }: ReturnType<typeof returnSteps>[number]): string {
    return t(at_once ? 'meter.returns' : 'meter.returnsFrom', { time, count })
  }
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

const TONES = { calm: 'green', warm: 'amber', full: 'red' } as const satisfies Record<Fullness, string>

/** Says in a word what the colour of the meter means. */
export function FullnessTag({ fullness }: { fullness: Fullness }) {
  const t = useTranslate()
  return <Tag tone={TONES[fullness]}>{t(`meter.${fullness}`)}</Tag>
}

type MeterPopoverProps = {
  /** The `popoverTarget` of its button. */
  id: string
  /** The position of the button: the foot of the list, or the header. */
  from: 'foot' | 'header'
}

/** A popover of the browser, which opens and closes it and moves the focus. */
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
