import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'
import type { TimeSlot } from '#contract/limits.ts'
import { coversWholeDay, DAY_MINUTES } from '#web/users/timeSlots.ts'
import { dragged, drawn, MAX_SLOTS, type SlotPart, slotOf, spanOf, STEP } from './slotSpans.ts'

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
export function useSlotDrag({ slots, onChange, track }: Dragging) {
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
