import styles from './transfer.module.css'

type ProgressProps = { label: string; done: number; total: number }

/** A progress bar; indeterminate while the total is 0. */
export function Progress({ label, done, total }: ProgressProps) {
  return (
    <div className={styles.progress}>
      <p role="status">{label}</p>
      <progress className={styles.bar} aria-label={label} {...(total > 0 && { value: done, max: total })} />
    </div>
  )
}
