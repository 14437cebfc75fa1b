import { useState } from 'react'
import { EXPIRES_SOON } from '#contract/userAdministration.ts'
import { calendarDay } from '#web/admin/shell/times.ts'
import { formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { DateInput, DrawerRow } from '#web/admin/drawer/rows.tsx'
import styles from './edit.module.css'
import { RowOrigin } from './PersonOrigin.tsx'
import type { FieldRow } from './useUserForm.ts'

type ValidityFieldProps = { row: FieldRow; valid_until: string | null; onChange(valid_until: string | null): void }

/** The last day on which the person may ask, with quick steps. */
export function ValidityField({ row, valid_until, onChange }: ValidityFieldProps) {
  const t = useTranslate()
  const { label, changed } = row
  const now = useNow()
  // While a date is typed it is incomplete.
  const [typed, setTyped] = useState<string | null>(null)
  const take = (text: string) => {
    setTyped(text)
    const end = text === '' ? null : endOfDay(text)
    if (text === '' || end !== null) onChange(end)
  }
  const steps = VALIDITY_STEPS.filter(step => step !== 'forever' || valid_until !== null)
  return (
    <DrawerRow
      label={label}
      changed={changed}
      below={
        <>
          <EndingText valid_until={valid_until} />
          {steps.map(step => (
            <button key={step} type="button" onClick={() => onChange(afterStep(valid_until, step, now))}>
              {t(`users.validity.${step}`)}
            </button>
          ))}
          <RowOrigin row={row} />
        </>
      }
    >
      {id => (
        <DateInput
          id={id}
          value={typed ?? (valid_until === null ? '' : calendarDay(new Date(valid_until)))}
          onChange={take}
          onBlur={() => setTyped(null)}
        />
      )}
    </DrawerRow>
  )
}

function EndingText({ valid_until }: { valid_until: string | null }) {
  const t = useTranslate()
  const language = useLanguage()
  const now = useNow()
  const { kind, days } = endingOf(valid_until, now)
  if (valid_until === null) return <span>{t('users.forever')}</span>
  const time = formatDateTime(new Date(valid_until), language)
  return (
    <span className={kind === 'over' ? styles.over : kind === 'soon' ? styles.soon : undefined}>
      {kind === 'over' ? t('users.ended', { time }) : t('users.endsAt', { time, days })}
    </span>
  )
}

/** Milliseconds. */
const DAY = 86_400_000

const VALIDITY_STEPS = ['now', 'day', 'week', 'month', 'year', 'forever'] as const
type ValidityStep = (typeof VALIDITY_STEPS)[number]

/** The end after a quick step: counted from the present end, or from now if that has passed; null is for ever. */
export function afterStep(valid_until: string | null, step: ValidityStep, now: Date): string | null {
  if (step === 'forever') return null
  if (step === 'now') return now.toISOString()
  const end = valid_until === null ? now : new Date(Math.max(Date.parse(valid_until), now.getTime()))
  return later(end, step).toISOString()
}

/** The same day of a later month, or the last day of a shorter month. */
function later(time: Date, step: 'day' | 'week' | 'month' | 'year'): Date {
  if (step === 'day') return new Date(time.getTime() + DAY)
  if (step === 'week') return new Date(time.getTime() + 7 * DAY)
  const next = new Date(time)
  const months = step === 'month' ? 1 : 12
  next.setDate(1)
  next.setMonth(time.getMonth() + months)
  const last = new Date(next.getFullYear(), next.getMonth() + 1, 0).getDate()
  next.setDate(Math.min(time.getDate(), last))
  return next
}

/** The end of that day; null when it is not a date. */
export function endOfDay(date: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []
  if (year === undefined) return null
  const end = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59)
  return Number.isNaN(end.getTime()) || calendarDay(end) !== date ? null : end.toISOString()
}

type Ending = { kind: 'forever' | 'over' | 'soon' | 'later'; days: number }

export function endingOf(valid_until: string | null, now: Date): Ending {
  if (valid_until === null) return { kind: 'forever', days: 0 }
  const left = Date.parse(valid_until) - now.getTime()
  const days = Math.ceil(left / DAY)
  return { kind: left <= 0 ? 'over' : days <= EXPIRES_SOON ? 'soon' : 'later', days }
}
