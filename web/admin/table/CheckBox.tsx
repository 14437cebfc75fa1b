import styles from './table.module.css'

type CheckBoxProps = {
  label: string
  /** The id of what it is beside, such as the name of the row. */
  describedBy?: string
  checked: boolean
  indeterminate?: boolean
  onChange(checked: boolean): void
}

/** A plain one: a page has two hundred. */
export function CheckBox({ label, describedBy, checked, indeterminate = false, onChange }: CheckBoxProps) {
  return (
    <label className={styles.checkBox}>
      <input
        type="checkbox"
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        ref={input => {
          if (input !== null) input.indeterminate = indeterminate
        }}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
