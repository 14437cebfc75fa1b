import type { TimeSlot } from '#contract/limits.ts'
import { slotText } from '#contract/slotText.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { LimitRow } from './LimitRows.tsx'
import styles from './ProfileDialog.module.css'
import { coversWholeDay, DAY_MINUTES, isInside, minuteOfDay, spansOf } from './timeSlots.ts'

const HOURS = [0, 6, 12, 18, 24]

/** The day as a strip with a mark for now, in the portal's time zone. */
export function SlotsRow({ slots }: { slots: readonly TimeSlot[] }) {
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
