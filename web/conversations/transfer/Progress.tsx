import styles from './transfer.module.css'

type ProgressProps = { label: string; done: number; total: number }

/** How far something has come; before the whole is known it says only that it goes on. */
export function Progress({ label, done, total }: ProgressProps) {
  const known = total > 0
  return (
    <div className={styles.progress}>
      <p role="status">{label}</p>
      <progress className={styles.bar} aria-label={label} {...(known && { value: done, max: total })} />
    </div>
  )
}
