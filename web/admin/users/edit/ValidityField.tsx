import { useState } from 'react'
import { calendarDay } from '#web/admin/shell/times.ts'
import { formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { DateInput } from '../../drawer/inputs.tsx'
import { DrawerRow } from '../../drawer/rows.tsx'
import styles from './edit.module.css'
import type { FieldRow } from './useUserForm.ts'
import { afterStep, endingOf, endOfDay, VALIDITY_STEPS } from './validity.ts'

type ValidityFieldProps = { row: FieldRow; valid_until: string | null; onChange(valid_until: string | null): void }

/** The last day on which the person may ask, with quick steps. */
export function ValidityField({ row: { label, changed }, valid_until, onChange }: ValidityFieldProps) {
  const t = useTranslate()
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
