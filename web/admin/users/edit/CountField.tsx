import { MAX_COUNT, UNLIMITED } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DrawerRow, UnitInput } from '#web/admin/drawer/rows.tsx'
import { RowOrigin } from './PersonOrigin.tsx'
import type { FieldRow } from './useUserForm.ts'
import { Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'

const STEPS = [
  [100, '+100'],
  [1000, '+1k'],
] as const

type CountFieldProps = {
  row: FieldRow
  count: number
  /** The used part, in words. */
  used: string
  unit: string
  onChange(count: number): void
}

/** A count with its quick steps. */
export function CountField({ row, count, used, unit, onChange }: CountFieldProps) {
  const t = useTranslate()
  const { label, changed } = row
  const add = (more: number) => onChange(Math.min(MAX_COUNT, (count === UNLIMITED ? 0 : count) + more))
  return (
    <DrawerRow
      label={label}
      changed={changed}
      below={
        <>
          <span>{used}</span>
          {count !== UNLIMITED && (
            <button type="button" aria-label={`${t('kit.unlimited')} ${label}`} onClick={() => onChange(UNLIMITED)}>
              {t('kit.unlimited')}
            </button>
          )}
          {STEPS.map(([more, text]) => (
            <button key={more} type="button" aria-label={`${text} ${label}`} onClick={() => add(more)}>
              {text}
            </button>
          ))}
          <RowOrigin row={row} />
        </>
      }
    >
      {id => <CountInput id={id} count={count} onChange={onChange} unit={unit} />}
    </DrawerRow>
  )
}

type CountInputProps = { count: number; onChange(count: number): void; unit: string; id?: string; label?: string }

/** Blank is unlimited. */
export function CountInput({ count, onChange, unit, id, label }: CountInputProps) {
  const t = useTranslate()
  return (
    <UnitInput
      id={id}
      aria-label={label}
      unit={unit}
      placeholder={t('kit.unlimited')}
      value={count === UNLIMITED ? '' : String(count)}
      onChange={text => onChange(countOf(text))}
    />
  )
}

function countOf(text: string): number {
  const digits = text.replace(/\D/g, '')
  return digits === '' ? UNLIMITED : Math.min(MAX_COUNT, Number(digits))
}

type SwitchFieldProps = {
  row: FieldRow
  checked: boolean
  onChange(checked: boolean): void
  /** Why it cannot be changed. */
  locked?: string | undefined
  below?: string
}

export function SwitchField({ row, checked, onChange, locked, below }: SwitchFieldProps) {
  return (
    <DrawerRow
      label={row.label}
      changed={row.changed}
      below={
        <>
          {locked ?? below}
          <RowOrigin row={row} />
        </>
      }
    >
      {id => (
        <Switch
          id={id}
          checked={checked}
          disabled={locked !== undefined}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      )}
    </DrawerRow>
  )
}
