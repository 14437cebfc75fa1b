import { useRef, useState } from 'react'
import { type TimeSlot, slotText } from '#contract/limits.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { DAY_MINUTES, coversWholeDay } from '#web/users/timeSlots.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SlotTimes } from './SlotTimes.tsx'
import { piecesOf, spanOf } from './slotSpans.ts'
import styles from './slots.module.css'
import { useSlotDrag } from './useSlotDrag.ts'

const HOURS = [0, 6, 12, 18, 24]

type SlotStripProps = { slots: readonly TimeSlot[]; onChange(slots: TimeSlot[]): void }

/** The day as a strip on which slots are moved by pointer or arrow keys, also across midnight. */
export function SlotStrip({ slots, onChange }: SlotStripProps) {
  const t = useTranslate()
  const track = useRef<HTMLDivElement>(null)
  const handlers = useSlotDrag({ slots, onChange, track })
  return (
    <div>
      {/* The handlers are for the pointer, and for keys in the slots. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={styles.grip} data-testid="slot-strip" {...handlers}>
        <div className={styles.strip} ref={track}>
          {slots.length === 0 && <span className={styles.always} />}
          {slots.map((slot, at) =>
            piecesOf(spanOf(slot)).map(({ from, to, has }, piece) => (
              <span
                key={`${at} ${piece}`}
                className={styles.slot}
                data-at={at}
                style={{ left: share(from), width: share(to - from) }}
                {...(piece === 0
                  ? {
                      role: 'slider',
                      tabIndex: 0,
                      'aria-label': t('users.slots.slot', { number: at + 1 }),
                      'aria-valuemin': 0,
                      'aria-valuemax': DAY_MINUTES,
                      'aria-valuenow': from,
                      'aria-valuetext': slotText(slot),
                    }
                  : { 'aria-hidden': true })}
              >
                {has.map(part => (
                  <i key={part} className={styles[part]} data-part={part} />
                ))}
              </span>
            )),
          )}
        </div>
      </div>
      <div className={styles.hours} aria-hidden>
        {HOURS.map(hour => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
    </div>
  )
}

function share(minutes: number): string {
  return `${(minutes / DAY_MINUTES) * 100}%`
}

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
