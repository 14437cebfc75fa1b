import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { slotText, type TimeSlot, WHOLE_DAY } from '#contract/limits.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { coversWholeDay, DAY_MINUTES } from '#web/users/timeSlots.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import {
  dragged,
  drawn,
  MAX_SLOTS,
  piecesOf,
  shownTime,
  slotOf,
  type SlotPart,
  spanOf,
  STEP,
  typedMinutes,
  withTyped,
} from './slotSpans.ts'
import styles from './slots.module.css'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { UnitInput } from '#web/admin/drawer/rows.tsx'

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

type SlotTimesProps = { slots: readonly TimeSlot[]; onChange(slots: TimeSlot[]): void }

const MORNING: TimeSlot = { start_time: '08:00:00', end_time: '12:00:00' }

/** The slots as text fields. */
function SlotTimes({ slots, onChange }: SlotTimesProps) {
  const t = useTranslate()
  const change = (at: number, slot: TimeSlot) => onChange(slots.map((each, index) => (index === at ? slot : each)))
  return (
    <div className={styles.times}>
      {slots.map((slot, at) => (
        <SlotTime
          key={at}
          number={at + 1}
          slot={slot}
          onChange={next => change(at, next)}
          onRemove={() => onChange(slots.filter((_, index) => index !== at))}
        />
      ))}
      <span className={styles.links}>
        {slots.length < MAX_SLOTS && (
          <button type="button" onClick={() => onChange([...slots, MORNING])}>
            {t('users.slots.add')}
          </button>
        )}
        <button type="button" onClick={() => onChange([WHOLE_DAY])}>
          {t('users.slots.always')}
        </button>
      </span>
      <span className={styles.hint}>{t('users.slots.keys')}</span>
    </div>
  )
}

type SlotTimeProps = { number: number; slot: TimeSlot; onChange(slot: TimeSlot): void; onRemove(): void }

function SlotTime({ number, slot, onChange, onRemove }: SlotTimeProps) {
  const t = useTranslate()
  const [wrong, setWrong] = useState(false)
  return (
    <div className={styles.time}>
      {(['start', 'end'] as const).map(part => (
        <TypedTime
          key={part}
          label={t(`users.slots.${part}`, { number })}
          shown={shownTime(slot, part)}
          isEnd={part === 'end'}
          onTyped={minute => onChange(withTyped(slot, part, minute))}
          onWrong={setWrong}
        />
      ))}
      <IconButton size={28} label={t('users.slots.remove', { number })} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </IconButton>
      {/* Beside the fields: below them, it would move what somebody is about to press. */}
      <span className={styles.wrong} role="alert">
        {wrong && t('users.slots.wrong')}
      </span>
      {!wrong && slot.start_time === slot.end_time && <span className={styles.hint}>{t('users.slots.equal')}</span>}
    </div>
  )
}

type TypedTimeProps = {
  label: string
  shown: string
  isEnd: boolean
  onTyped(minute: number): void
  onWrong(wrong: boolean): void
}

/** Takes a valid time at once. Anything else is marked, and replaced by the last valid time when the field is left. */
function TypedTime({ label, shown, isEnd, onTyped, onWrong }: TypedTimeProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && typedMinutes(typed, isEnd) === null
  const take = (text: string) => {
    const minute = typedMinutes(text, isEnd)
    setTyped(text)
    onWrong(minute === null)
    if (minute !== null) onTyped(minute)
  }
  return (
    <UnitInput
      aria-label={label}
      maxLength={5}
      value={typed ?? shown}
      error={isWrong}
      onChange={take}
      onBlur={() => {
        setTyped(null)
        onWrong(false)
      }}
    />
  )
}

type Drag = {
  /** Which slot; the one that is being drawn has none yet. */
  at: number | null
  part: SlotPart
  from: number
  /** The slots as they were. */
  before: readonly TimeSlot[]
}

type Dragging = { slots: readonly TimeSlot[]; onChange(slots: TimeSlot[]): void; track: RefObject<HTMLElement | null> }

/**
 * Handlers of the strip: dragging moves a slot by its middle, resizes it at its ends, or draws a new one. Escape
 * cancels the drag.
 */
function useSlotDrag({ slots, onChange, track }: Dragging) {
  const drag = useRef<Drag | null>(null)

  /** Not limited to the day, so that a slot can wrap around midnight. */
  const minuteAt = (x: number) => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {}
    return ((x - left) / width) * DAY_MINUTES
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || drag.current !== null) return
    const { at, part } = grabbed(event.target)
    // While the whole day is open, dragging draws a slot that replaces it.
    const draws = at === null || (part === 'whole' && coversWholeDay(slots))
    drag.current = { at: draws ? null : at, part, from: minuteAt(event.clientX), before: slots }
    event.currentTarget.setPointerCapture(event.pointerId)
  }

  const onPointerMove = ({ clientX }: PointerEvent<HTMLElement>) => {
    if (drag.current === null) return
    const next = afterDrag(drag.current, minuteAt(clientX))
    if (next !== null) onChange(next)
  }

  const end = () => {
    drag.current = null
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && drag.current !== null) {
      onChange([...drag.current.before])
      drag.current = null
      // Escape only cancels the drag; it does not close the drawer.
      return event.stopPropagation()
    }
    const { at } = grabbed(event.target)
    const next = at === null ? null : afterKey(slots, at, event)
    if (next === null) return undefined
    event.preventDefault()
    event.stopPropagation()
    return onChange(next)
  }

  return { onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end, onKeyDown }
}

/** Which slot and part of it an element of the strip is. */
function grabbed(target: EventTarget): { at: number | null; part: SlotPart } {
  const piece = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null
  const part = target instanceof HTMLElement ? target.dataset['part'] : undefined
  return {
    at: piece === null ? null : Number(piece.dataset['at']),
    part: part === 'start' || part === 'end' ? part : 'whole',
  }
}

function afterDrag({ at, part, from, before }: Drag, to: number): TimeSlot[] | null {
  if (at !== null)
    return before.map((slot, index) => (index === at ? slotOf(dragged(spanOf(slot), part, to - from)) : slot))
  const kept = coversWholeDay(before) ? [] : before
  if (Math.abs(to - from) < STEP || kept.length >= MAX_SLOTS) return null
  return [...kept, slotOf(drawn(from, to))]
}

const DIRECTIONS: Record<string, number> = {
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  ArrowRight: STEP,
  ArrowUp: STEP,
  PageDown: -60,
  PageUp: 60,
}

/** Arrow keys move a slot, with Shift its end; Delete removes it. Null for any other key. */
function afterKey(
  slots: readonly TimeSlot[],
  at: number,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): TimeSlot[] | null {
  if (key === 'Delete' || key === 'Backspace') return slots.filter((_, index) => index !== at)
  const by = DIRECTIONS[key]
  if (by === undefined) return null
  const part = shiftKey ? 'end' : 'whole'
  return slots.map((slot, index) => (index === at ? slotOf(dragged(spanOf(slot), part, by)) : slot))
}
