import type { ReactNode } from 'react'
import { IconCheck } from '#web/kit/icons.ts'
import styles from './options.module.css'

export type Option<Value extends string> = { value: Value; title: string; hint: ReactNode; disabled: boolean }

type OptionsProps<Value extends string> = {
  /** The visible and accessible name of the group. */
  label: string
  testid: string
  shape: 'cards' | 'rows'
  options: readonly Option<Value>[]
  /** `first` is where one begins in a dialog: Enter takes what is chosen, and no keyboard comes on a phone. */
  chosen: { value: Value | null; first?: boolean; choose(value: Value): void }
}

/** Radio buttons under whole cards or rows: arrow keys move, a click anywhere chooses. */
export function Options<Value extends string>({ label, testid, shape, options, chosen }: OptionsProps<Value>) {
  return (
    <fieldset className={styles.group} role="radiogroup" data-testid={testid} aria-label={label}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles[shape]}>
        {options.map(({ value, title, hint, disabled }) => (
          <label key={value} className={styles.option} data-value={value} data-disabled={disabled || undefined}>
            <input
              type="radio"
              name={testid}
              value={value}
              checked={value === chosen.value}
              disabled={disabled}
              onChange={() => chosen.choose(value)}
              data-autofocus={(chosen.first && value === chosen.value) || undefined}
            />
            <span className={styles.title}>{title}</span>
            {shape === 'cards' && <IconCheck className={styles.check} size={16} aria-hidden />}
            <span className={styles.hint}>{hint}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
