import styles from './table.module.css'

type CheckBoxProps = {
  label: string
  /** The id of the element that names the row. */
  describedBy?: string
  checked: boolean
  indeterminate?: boolean
  onChange(checked: boolean): void
}

/** A native check box: a page may have two hundred of them. */
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
