import { type ReactNode, useId } from 'react'
import styles from './drawer.module.css'
import { TextInput, type TextInputProps } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCalendar } from '#web/kit/icons.ts'

/** A group of rows under a heading. */
export function DrawerSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      {title !== undefined && <h3>{title}</h3>}
      {children}
    </section>
  )
}

type DrawerRowProps = {
  label: string
  /** Under the control: where the value comes from, what it means, or what is wrong with it. */
  below?: ReactNode
  /** An unsaved change is marked by a green edge. */
  changed?: boolean
  /** The control, which takes the given id so that the label belongs to it. */
  children(id: string): ReactNode
}

/** Label, 118 px, and control. */
export function DrawerRow({ label, below, changed = false, children }: DrawerRowProps) {
  const id = useId()
  return (
    <div className={styles.row} data-changed={changed || undefined}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.control}>{children(id)}</div>
      {below !== undefined && below !== null && <div className={styles.below}>{below}</div>}
    </div>
  )
}

/** The same for a value that cannot be edited. */
export function DrawerFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.label}>{label}</span>
      <div className={styles.control}>{children}</div>
    </div>
  )
}

type UnitInputProps = Omit<TextInputProps, 'onChange' | 'value'> & {
  value: string
  /** Inside the field, at its end: "asks", "minutes". */
  unit?: string
  onChange(value: string): void
}

/** A number or text with its unit, 30 px high. Numbers are edited as text, so that the typed text stays as it is. */
export function UnitInput({ unit, onChange, ...rest }: UnitInputProps) {
  return (
    <TextInput
      size="xs"
      inputMode="numeric"
      autoComplete="off"
      classNames={{ input: styles.input, section: styles.unit, wrapper: styles.wrapper }}
      rightSection={unit === undefined ? undefined : <span>{unit}</span>}
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
      onChange={event => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}

type DateInputProps = Omit<TextInputProps, 'onChange' | 'value' | 'type'> & {
  /** `2026-12-31`, or with the time `2026-12-31T14:20`, of this device's zone; blank for none. */
  value: string
  withTime?: boolean
  onChange(value: string): void
}

/**
 * The browser's own field for a date, with its calendar. It is in the language of the browser, which no `lang` changes.
 */
export function DateInput({ withTime = false, onChange, ...rest }: DateInputProps) {
  const t = useTranslate()
  return (
    <TextInput
      size="xs"
      type={withTime ? 'datetime-local' : 'date'}
      // Limits the year to four digits.
      max={withTime ? '9999-12-31T23:59' : '9999-12-31'}
      aria-label={rest['aria-label'] ?? (rest.id === undefined ? t('drawer.date') : undefined)}
      classNames={{ input: `${styles.input} ${styles.date}`, wrapper: styles.wrapper }}
      leftSection={<IconCalendar size={14} aria-hidden />}
      leftSectionPointerEvents="none"
      onChange={event => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}
