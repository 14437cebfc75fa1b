import { useState } from 'react'
import type { TimeSlot } from '#contract/limits.ts'
import { slotText } from '#contract/slotText.ts'
import { coversWholeDay } from '#web/users/timeSlots.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SlotStrip } from './SlotStrip.tsx'
import { SlotTimes } from './SlotTimes.tsx'
import styles from './slots.module.css'

type SlotsFieldProps = { id?: string; slots: readonly TimeSlot[]; onChange(slots: TimeSlot[]): void }

/** The strip, the same in words, and on request the times as text fields. */
export function SlotsField({ id, slots, onChange }: SlotsFieldProps) {
  const t = useTranslate()
  const portal = usePortal()
  const [typing, setTyping] = useState(false)
  const times = coversWholeDay(slots) ? t('slots.allDay') : slots.map(slotText).join(t('kit.comma'))
  return (
    <div className={styles.slots}>
      <SlotStrip slots={slots} onChange={onChange} />
      <div className={styles.words}>
        <span>{times}</span>
        {portal !== undefined && <span>{portal.time_zone}</span>}
        <button type="button" id={id} aria-expanded={typing} onClick={() => setTyping(!typing)}>
          {t(typing ? 'users.slots.done' : 'users.slots.edit')}
        </button>
      </div>
      {typing && <SlotTimes slots={slots} onChange={onChange} />}
    </div>
  )
}
