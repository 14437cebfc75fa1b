import styles from './Dot.module.css'

/** Somebody is being answered. The only thing in the page that moves by itself. */
export function BreathingDot({ size = 8 }: { size?: number }) {
  return (
    <span
      className={`${styles.dot} ${styles.busy} ${styles.breathing}`}
      style={{ width: size, height: size }}
      aria-hidden="true"
    />
  )
}
