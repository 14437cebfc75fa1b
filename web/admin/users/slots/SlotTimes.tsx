import { useState } from 'react'
import { type TimeSlot, WHOLE_DAY } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { UnitInput } from '../../drawer/inputs.tsx'
import { MAX_SLOTS, shownTime, typedMinutes, withTyped } from './slotSpans.ts'
import styles from './slots.module.css'

type SlotTimesProps = { slots: readonly TimeSlot[]; onChange(slots: TimeSlot[]): void }

const MORNING: TimeSlot = { start_time: '08:00:00', end_time: '12:00:00' }

/** The slots as text fields. */
export function SlotTimes({ slots, onChange }: SlotTimesProps) {
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
