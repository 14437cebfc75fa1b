import styles from './LampMark.module.css'

/** The logo, beside the name. */
export function LampMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path className={styles.light} d="M6.5 10.5h11l3 9.5h-17z" opacity=".5" />
      <path
        className={styles.shade}
        d="M2.5 10.5c.4-4.3 4-7 9.5-7s9.1 2.7 9.5 7a.6.6 0 0 1-.6.6H3.1a.6.6 0 0 1-.6-.6z"
      />
      <path className={styles.stem} d="M12 11v9M2.5 20.5h19" strokeWidth="1.7" />
      <path className={styles.stem} d="M16.5 11.5v2.8" strokeWidth="1.2" />
    </svg>
  )
}
