import { useRef } from 'react'
import type { TimeSlot } from '#contract/limits.ts'
import { slotText } from '#contract/slotText.ts'
import { DAY_MINUTES } from '#web/users/timeSlots.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
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
