import { NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import { UNLIMITED } from '#contract/limits.ts'
import type { LimitUnit, LimitWindow } from '#contract/plans.ts'
import { UnitInput } from '#web/admin/drawer/rows.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DEFAULT_SECONDS } from './plans.ts'
import styles from './values.module.css'

export const UNITS: readonly LimitUnit[] = ['asks', 'money', 'tokens']
export const WINDOW_KINDS = ['rolling', 'from_first', 'day', 'week', 'month', 'ever'] as const

/** A window of a kind, with the length that most have. */
export function windowOfKind(kind: string): LimitWindow {
  const known = WINDOW_KINDS.find(each => each === kind) ?? 'week'
  return known === 'rolling' || known === 'from_first' ? { kind: known, seconds: DEFAULT_SECONDS } : { kind: known }
}

type AmountInputProps = {
  amount: number
  unit: LimitUnit
  /** What a blank field says. Left out: that it is unlimited. */
  placeholder?: string
  onChange(amount: number): void
}

/** Blank is unlimited. Money has up to six decimals. */
export function AmountInput({ amount, unit, placeholder, onChange }: AmountInputProps) {
  const t = useTranslate()
  const [typed, setTyped] = useState<string | null>(null)
  const stored = amount === UNLIMITED ? '' : String(amount)
  return (
    <UnitInput
      aria-label={t('plans.amount')}
      inputMode={unit === 'money' ? 'decimal' : 'numeric'}
      placeholder={placeholder ?? t('kit.unlimited')}
      value={typed ?? stored}
      onBlur={() => setTyped(null)}
      onChange={text => {
        const number = unit === 'money' ? moneyIn(text) : text.replace(/\D/g, '').slice(0, 12)
        setTyped(number)
        onChange(number === '' ? UNLIMITED : Number(number))
      }}
    />
  )
}

/** The digits, with one point and six decimals. */
function moneyIn(text: string): string {
  const [whole = '', ...decimals] = text
    .replace(/[,，。]/g, '.')
    .replace(/[^\d.]/g, '')
    .split('.')
  const digits = whole.slice(0, 9)
  return decimals.length === 0 ? digits : `${digits}.${decimals.join('').slice(0, 6)}`
}

const SPANS = { minutes: 60, hours: 3_600, days: 86_400 } as const
type Span = keyof typeof SPANS
const MAX_SECONDS = 31_622_400

type WindowLengthProps = {
  window: Extract<LimitWindow, { seconds: number }>
  disabled: boolean
  onChange(window: LimitWindow): void
}

/** How long a window is, where that is not a day, a week or a month. */
export function WindowLength({ window: { kind, seconds }, disabled, onChange }: WindowLengthProps) {
  const t = useTranslate()
  const fitting = (['days', 'hours', 'minutes'] as const).find(each => seconds % SPANS[each] === 0) ?? 'minutes'
  const [chosen, setChosen] = useState<Span | null>(null)
  const span = chosen ?? fitting
  const [typed, setTyped] = useState<string | null>(null)
  const take = (text: string, of: Span) => {
    const count = Number(text)
    if (count > 0) onChange({ kind, seconds: Math.min(MAX_SECONDS, Math.round(count * SPANS[of])) })
  }
  if (disabled) return null
  const shown = typed ?? String(Math.max(1, Math.round(seconds / SPANS[span])))
  return (
    <div className={styles.length}>
      <UnitInput
        aria-label={t('plans.length')}
        value={shown}
        onChange={text => setTyped(text.replace(/\D/g, '').slice(0, 6))}
        onBlur={() => {
          if (typed !== null) take(typed, span)
          setTyped(null)
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={t('plans.lengthUnit')}
        value={span}
        data={(['minutes', 'hours', 'days'] as const).map(value => ({ value, label: t(`plans.span.${value}`) }))}
        onChange={event => {
          const next =
            (['minutes', 'hours', 'days'] as const).find(each => each === event.currentTarget.value) ?? 'hours'
          setChosen(next)
          take(shown, next)
        }}
      />
      <span>{t(`plans.window.${kind}.help`)}</span>
    </div>
  )
}
