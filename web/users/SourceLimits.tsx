import type { SourceAllowance, Verdict, WindowState } from '#contract/allowance.ts'
import {
  type ApiSetting,
  type RateLimit,
  slotText,
  type TimeSlot,
  UNLIMITED,
  type WebSetting,
} from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { useModelName, usePortal } from '../foundation/portal.ts'
import { formatDate, useNow } from '../foundation/times.ts'
import { useLanguage, useTranslate, useTranslateAround } from '../i18n/useTranslate.ts'
import { Tag } from '../kit/Tag.tsx'
import { sourceOf, useAllowance } from './allowance.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import styles from './ProfileDialog.module.css'
import { coversWholeDay, DAY_MINUTES, isInside, minuteOfDay, spansOf } from './timeSlots.ts'
import type { ReactNode } from 'react'
import { Emphasised } from '../kit/Note.tsx'
import { FurtherLimits } from '#web/usage/lazyUsage.ts'
import { UsageMeter } from '../kit/UsageMeter.tsx'

/** The limits of a source: one row for each. They fold; of one that may not be used there is nothing to fold. */
export function SourceLimits({ source, setting }: { source: Source; setting: WebSetting | ApiSetting }) {
  const t = useTranslate()
  const loaded = useAllowance()
  const of = loaded === undefined ? null : sourceOf(loaded.allowance, source)
  const { allow_to_use, total_ask_count, rate_limits, max_conv_count, daily_available_time_slots } = setting
  const head = (
    <>
      <h3>{t(`sources.${source}`)}</h3>
      <SourceStatus setting={setting} verdict={of?.verdict ?? null} />
    </>
  )
  if (!allow_to_use)
    return (
      <section className={styles.source}>
        <div className={styles.head}>{head}</div>
      </section>
    )
  return (
    <details open className={styles.source}>
      <summary className={styles.head}>{head}</summary>
      <dl>
        <ModelRows setting={setting} of={of} />
        <CountRow label={t('profile.totalAsks')} count={of?.total ?? { used: 0, allowed: total_ask_count }} />
        <WindowRows windows={of?.windows} limits={rate_limits} />
        <FurtherLimits source={source} onLoadError={() => undefined} />
        <ConversationsRow count={of?.conversations} allowed={max_conv_count} />
        <SlotsRow slots={daily_available_time_slots} />
      </dl>
    </details>
  )
}

type ConversationsRowProps = { count: SourceAllowance['conversations'] | undefined; allowed: number }

function ConversationsRow({ count, allowed }: ConversationsRowProps) {
  const t = useTranslate()
  const label = t('profile.conversations')
  const words = { left: 'allowance.conversations', none: 'allowance.conversationsFull' } as const
  if (count !== undefined) return <CountRow label={label} count={count} words={words} />
  return (
    <LimitRow label={label}>
      {allowed === UNLIMITED ? t('kit.unlimited') : t('profile.atMost.conversations', { count: allowed })}
    </LimitRow>
  )
}

type SourceStatusProps = { setting: WebSetting | ApiSetting; verdict: Verdict | null }

/** Whether the user may use a source, whether now, and until when. */
function SourceStatus({ setting: { allow_to_use, valid_until }, verdict }: SourceStatusProps) {
  const t = useTranslate()
  const language = useLanguage()
  const momentText = useMomentText()
  const now = useNow()
  if (!allow_to_use) return <Tag>{t('profile.source.denied')}</Tag>
  const end = valid_until === null ? null : new Date(valid_until)
  const over = end !== null && end <= now
  const opens_at = verdict?.opens_at ?? null
  return (
    <>
      <Tag tone={over ? 'red' : 'green'}>{t(over ? 'profile.source.expired' : 'profile.source.allowed')}</Tag>
      {opens_at !== null && <Tag tone="amber">{t('allowance.opens', { time: momentText(opens_at) })}</Tag>}
      <span className={styles.validity}>{validity()}</span>
    </>
  )

  function validity(): string {
    if (end === null) return t('profile.valid.forever')
    const date = formatDate(end, language)
    if (over) return t('profile.valid.ended', { date })
    return t('allowance.validUntil', { date, left_seconds: Math.ceil((end.getTime() - now.getTime()) / 1000) })
  }
}

const HOURS = [0, 6, 12, 18, 24]

/** The day as a strip with a mark for now, in the portal's time zone. */
function SlotsRow({ slots }: { slots: readonly TimeSlot[] }) {
  const t = useTranslate()
  const portal = usePortal()
  const now = useNow()
  const minute = portal === undefined ? null : minuteOfDay(now, portal.time_zone)
  const label = t('profile.slots')
  if (coversWholeDay(slots)) return <LimitRow label={label}>{t('slots.allDay')}</LimitRow>
  const times = slots.map(slotText).join(t('kit.comma'))
  return (
    <LimitRow label={label} middle={<Strip slots={slots} minute={minute} />}>
      {minute !== null && t(isInside(slots, minute) ? 'profile.slots.open' : 'profile.slots.closed')}
      <span className={styles.hint}>{times}</span>
      {portal !== undefined && <span className={styles.hint}>{portal.time_zone}</span>}
    </LimitRow>
  )
}

function Strip({ slots, minute }: { slots: readonly TimeSlot[]; minute: number | null }) {
  return (
    <span aria-hidden="true">
      <span className={styles.strip}>
        {spansOf(slots).map(({ from, to }) => (
          <i key={from} style={{ left: share(from), width: share(to - from) }} />
        ))}
        {minute !== null && <b style={{ left: share(minute) }} />}
      </span>
      <span className={styles.hours}>
        {HOURS.map(hour => (
          <span key={hour}>{hour}</span>
        ))}
      </span>
    </span>
  )
}

function share(minutes: number): string {
  return `${(minutes / DAY_MINUTES) * 100}%`
}

type LimitRowProps = { label: string; middle?: ReactNode; testid?: 'usage-limit' | undefined; children: ReactNode }

function LimitRow({ label, middle, testid, children }: LimitRowProps) {
  return (
    <div className={styles.row} data-testid={testid}>
      <dt>{label}</dt>
      <dd className={styles.middle}>{middle}</dd>
      <dd>{children}</dd>
    </div>
  )
}

type Count = { used: number; allowed: number }

type CountRowProps = {
  label: string
  count: Count
  /** The keys of the texts for some left and for none left. */
  words?: typeof ASKS | { left: 'allowance.conversations'; none: 'allowance.conversationsFull' }
  /** When some of it comes back; shown in place of what is used. */
  returns?: string | null
}

const ASKS = { left: 'allowance.remaining', none: 'allowance.usedUp' } as const

/** One limit: the meter shows what is used, the text what remains. */
function CountRow({ label, count: { used, allowed }, words = ASKS, returns = null }: CountRowProps) {
  const t = useTranslate()
  const around = useTranslateAround()
  const known = useAllowance() !== undefined
  if (allowed === UNLIMITED) return <LimitRow label={label}>{t('kit.unlimited')}</LimitRow>
  // Until the allowance is loaded, only the remaining count is known.
  const left = Math.max(0, allowed - used)
  const usedText = t('allowance.used', { used, allowed })
  return (
    <LimitRow
      label={label}
      testid={words === ASKS ? 'usage-limit' : undefined}
      middle={known && <UsageMeter used={used} allowed={allowed} text={`${label}${t('kit.comma')}${usedText}`} />}
    >
      {left === 0 ? (
        <span className={styles.empty}>{t(words.none)}</span>
      ) : (
        <span>
          <Emphasised parts={around(words.left, 'count', { count: left })} />
        </span>
      )}
      {known && allowed > 0 && <span className={styles.hint}>{returns ?? usedText}</span>}
    </LimitRow>
  )
}

type ModelRowsProps = { setting: WebSetting | ApiSetting; of: SourceAllowance | null }

/** A row for each limited model, and one for all the others. */
function ModelRows({ setting: { available_models, per_model_ask_count }, of }: ModelRowsProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  if (available_models.length === 0) return <LimitRow label={t('profile.models')}>{t('profile.models.none')}</LimitRow>
  const counts = available_models.map(code => ({ code, ...countOf(code) }))
  const unlimited = counts.filter(({ allowed }) => allowed === UNLIMITED).map(({ code }) => nameOf(code))
  return (
    <>
      {counts
        .filter(({ allowed }) => allowed !== UNLIMITED)
        .map(({ code, used, allowed }) => (
          <CountRow key={code} label={nameOf(code)} count={{ used, allowed }} />
        ))}
      {unlimited.length > 0 && (
        <LimitRow label={t('profile.models')} middle={unlimited.join(t('kit.comma'))}>
          {t('kit.unlimited')}
        </LimitRow>
      )}
    </>
  )

  /** Until the allowance is loaded, the counts of the account are used. */
  function countOf(code: string): { used: number; allowed: number } {
    return (
      of?.models.find(({ model }) => model === code)?.count ?? {
        used: 0,
        allowed: per_model_ask_count[code] ?? UNLIMITED,
      }
    )
  }
}

const HOUR = 3600
const DAY = 86_400

type WindowRowsProps = { windows: readonly WindowState[] | undefined; limits: readonly RateLimit[] }

/** Rate limits: what is left in each window, and when the next ask comes back. */
function WindowRows({ windows, limits }: WindowRowsProps) {
  const t = useTranslate()
  const momentText = useMomentText()
  const label = (window_seconds: number) =>
    window_seconds === HOUR
      ? t('allowance.everyHour')
      : window_seconds === DAY
        ? t('allowance.everyDay')
        : t('allowance.window', { window_seconds })
  if (windows === undefined) {
    return limits.map(({ window_seconds, max_requests }) => (
      <LimitRow key={`${window_seconds} ${max_requests}`} label={label(window_seconds)}>
        {t('profile.atMost.asks', { count: max_requests })}
      </LimitRow>
    ))
  }
  return windows.map(({ window_seconds, max_requests, used, frees_at }) => (
    <CountRow
      key={`${window_seconds} ${max_requests}`}
      label={label(window_seconds)}
      count={{ used, allowed: max_requests }}
      returns={frees_at === null ? null : t('allowance.opensOne', { time: momentText(frees_at) })}
    />
  ))
}
