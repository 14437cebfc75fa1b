import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type IntegerShape, mayBeUnlimited } from '../settings/shape.ts'
import { type Scale, scaleFor, scalesOf } from '../settings/units.ts'
import { useSettingTexts } from '../settings/useSettingTexts.ts'
import { type ControlProps, describedBy } from './controlProps.ts'
import styles from './controls.module.css'

/** A whole number with its unit. Blank means missing or unlimited, where the setting allows that. */
export function IntegerField({ path, shape, value, invalid, onChange }: ControlProps<IntegerShape>) {
  const t = useTranslate()
  const { nameOf } = useSettingTexts()
  return (
    <span className={styles.field}>
      <IntegerInput
        {...describedBy({ path, invalid })}
        name={nameOf(path)}
        shape={shape}
        value={value}
        placeholder={
          mayBeUnlimited(shape) ? t('settings.unlimited') : shape.nullable ? t('settings.notSet') : undefined
        }
        onChange={onChange}
      />
    </span>
  )
}

type IntegerInputProps = {
  /** What it is the number of; its unit is named after it. */
  name: string
  shape: IntegerShape
  value: unknown
  placeholder?: string | undefined
  id?: string
  'aria-describedby'?: string
  'aria-invalid'?: true | undefined
  onChange(value: unknown): void
}

/** The typed number and its unit. Anything but a whole number is passed on as text, which the schema refuses. */
export function IntegerInput({ name, shape, value, onChange, ...rest }: IntegerInputProps) {
  const { typed, scale, type, choose } = useScaled(shape, value, onChange)
  return (
    <>
      <input
        {...rest}
        className={styles.number}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={event => type(event.currentTarget.value)}
      />
      {shape.unit !== null && <UnitSelect name={name} shape={shape} scale={scale} onChange={choose} />}
    </>
  )
}

type UnitSelectProps = { name: string; shape: IntegerShape; scale: Scale; onChange(scale: Scale): void }

function UnitSelect({ name, shape, scale, onChange }: UnitSelectProps) {
  const t = useTranslate()
  const { unitName } = useSettingTexts()
  const scales = shape.unit === null ? [] : scalesOf(shape.unit)
  if (scales.length < 2) return <span className={styles.unit}>{unitName(scale.name)}</span>
  return (
    <select
      aria-label={t('settings.unit', { name })}
      value={scale.name}
      onChange={event => onChange(scales.find(({ name }) => name === event.currentTarget.value) ?? scale)}
    >
      {scales.map(({ name }) => (
        <option key={name} value={name}>
          {unitName(name)}
        </option>
      ))}
    </select>
  )
}

type Typed = { text: string; scale: Scale; value: unknown }

/**
 * The typed text stays as long as it means the value (1.50 stays 1.50); an undo shows the saved number in its largest
 * whole unit.
 */
function useScaled(shape: IntegerShape, value: unknown, onChange: (value: unknown) => void) {
  const [last, setLast] = useState<Typed | null>(null)
  const isLast = last !== null && last.value === value
  const scale = isLast ? last.scale : scaleFor(shape.unit ?? 'asks', value)
  const typed = isLast ? last.text : writtenNumber(shape, value, scale)
  const change = (text: string, by: Scale) => {
    const next = numberFrom(shape, text, by)
    setLast({ text, scale: by, value: next })
    onChange(next)
  }
  return {
    typed,
    scale,
    type: (text: string) => change(text, scale),
    choose: (by: Scale) => change(typed, by),
  }
}

function writtenNumber(shape: IntegerShape, value: unknown, { factor }: Scale): string {
  if (value === null || value === undefined || (value === -1 && mayBeUnlimited(shape))) return ''
  return typeof value === 'number' ? String(value / factor) : String(value)
}

function numberFrom(shape: IntegerShape, text: string, { factor }: Scale): unknown {
  const written = text.trim()
  if (written === '') return mayBeUnlimited(shape) ? -1 : shape.nullable ? null : ''
  if (!/^-?\d{1,16}(?:\.\d{1,6})?$/.test(written)) return text
  const number = Number(written) * factor
  return Number.isInteger(number) ? number : text
}
