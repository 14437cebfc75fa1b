import styles from './table.module.css'

type CheckBoxProps = {
  label: string
  /** On a phone the label stands beside the box. */
  shownOnPhone?: boolean
  /** The id of the element that names the row. */
  describedBy?: string
  checked: boolean
  indeterminate?: boolean
  onChange(checked: boolean): void
}

/** A native check box: a page may have two hundred of them. */
export function CheckBox(props: CheckBoxProps) {
  const { label, shownOnPhone = false, describedBy, checked, indeterminate = false, onChange } = props
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
      {shownOnPhone && <span aria-hidden="true">{label}</span>}
    </label>
  )
}
