import { useState } from 'react'
import type { RateLimit } from '#contract/limits.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { DrawerRow, UnitInput } from '#web/admin/drawer/rows.tsx'
import styles from './edit.module.css'
import { RowOrigin } from './PersonOrigin.tsx'
import type { FieldRow } from './useUserForm.ts'

/** The contract's limits. */
const MAX_WINDOWS = 20
const MAX_MINUTES = 527_040
const MAX_REQUESTS = 1_000_000
const EVERY_HOUR: RateLimit = { window_seconds: 3600, max_requests: 10 }

type WindowsFieldProps = { row: FieldRow; windows: readonly RateLimit[]; onChange(windows: RateLimit[]): void }

/** Rate limits: at most so many asks in so many minutes each. */
export function WindowsField({ row, windows, onChange }: WindowsFieldProps) {
  const t = useTranslate()
  const change = (at: number, fields: Partial<RateLimit>) =>
    onChange(windows.map((each, index) => (index === at ? { ...each, ...fields } : each)))
  return (
    <DrawerRow label={row.label} changed={row.changed} below={<RowOrigin row={row} />}>
      {id => (
        <div className={styles.windows}>
          {windows.map((window, at) => (
            <Window
              key={at}
              id={at === 0 ? id : undefined}
              number={at + 1}
              window={window}
              onChange={fields => change(at, fields)}
              onRemove={() => onChange(windows.filter((_, index) => index !== at))}
            />
          ))}
          {windows.length < MAX_WINDOWS && (
            <button
              id={windows.length === 0 ? id : undefined}
              type="button"
              className={styles.link}
              onClick={() => onChange([...windows, EVERY_HOUR])}
            >
              {t(windows.length === 0 ? 'users.windows.addFirst' : 'users.windows.add')}
            </button>
          )}
        </div>
      )}
    </DrawerRow>
  )
}

type WindowProps = {
  id: string | undefined
  number: number
  window: RateLimit
  onChange(fields: Partial<RateLimit>): void
  onRemove(): void
}

function Window({ id, number, window: { window_seconds, max_requests }, onChange, onRemove }: WindowProps) {
  const t = useTranslate()
  return (
    <div className={styles.pair}>
      <span>{t('users.windows.every')}</span>
      <Whole
        id={id}
        label={t('users.windows.minutes', { number })}
        value={Math.ceil(window_seconds / 60)}
        of={{ unit: t('users.unit.minutes'), least: 1, most: MAX_MINUTES }}
        onChange={minutes => onChange({ window_seconds: minutes * 60 })}
      />
      <span>{t('users.windows.atMost')}</span>
      <Whole
        label={t('users.windows.asks', { number })}
        value={max_requests}
        of={{ unit: t('users.unit.asks'), least: 0, most: MAX_REQUESTS }}
        onChange={requests => onChange({ max_requests: requests })}
      />
      <IconButton size={28} label={t('users.windows.remove', { number })} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

type WholeProps = {
  label: string
  id?: string | undefined
  value: number
  of: { unit: string; least: number; most: number }
  onChange(value: number): void
}

/** A whole number; what is typed is kept within its bounds. */
function Whole({ id, label, value, of: { unit, least, most }, onChange }: WholeProps) {
  // May be empty while another number is typed.
  const [typed, setTyped] = useState<string | null>(null)
  const take = (text: string) => {
    const digits = text.replace(/\D/g, '')
    setTyped(digits)
    if (digits !== '') onChange(Math.min(most, Math.max(least, Number(digits))))
  }
  return (
    <UnitInput
      id={id}
      aria-label={label}
      unit={unit}
      value={typed ?? String(value)}
      onChange={take}
      onBlur={() => setTyped(null)}
    />
  )
}
