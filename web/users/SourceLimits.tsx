import {
  type SourceAllowance,
  type Verdict,
  type ApiSetting,
  UNLIMITED,
  type WebSetting,
  type TimeSlot,
  slotText,
} from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { formatDate, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { sourceOf, useAllowance } from './allowance.ts'
import { CountRow, LimitRow, ModelRows, WindowRows } from './LimitRows.tsx'
import { useMomentText } from './moments.ts'
import styles from './ProfileDialog.module.css'
import { coversWholeDay, DAY_MINUTES, isInside, minuteOfDay, spansOf } from './timeSlots.ts'

/** The limits of a source: one row for each. */
export function SourceLimits({ source, setting }: { source: Source; setting: WebSetting | ApiSetting }) {
  const t = useTranslate()
  const loaded = useAllowance()
  const of = loaded === undefined ? null : sourceOf(loaded.allowance, source)
  const { allow_to_use, total_ask_count, rate_limits, max_conv_count, daily_available_time_slots } = setting
  return (
    <section className={styles.source}>
      <div className={styles.head}>
        <h3>{t(`sources.${source}`)}</h3>
        <SourceStatus setting={setting} verdict={of?.verdict ?? null} />
      </div>
      {allow_to_use && (
        <dl>
          <ModelRows setting={setting} of={of} />
          <CountRow label={t('profile.totalAsks')} count={of?.total ?? { used: 0, allowed: total_ask_count }} />
          <WindowRows windows={of?.windows} limits={rate_limits} />
          <ConversationsRow count={of?.conversations} allowed={max_conv_count} />
          <SlotsRow slots={daily_available_time_slots} />
        </dl>
      )}
    </section>
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
