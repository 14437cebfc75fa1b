import styles from './Lamp.module.css'

/** The one illustration: lit = welcome or working, unlit = nothing here. */
export function Lamp({ lit, size = 104 }: { lit: boolean; size?: number }) {
  return (
    <svg
      className={styles.lamp}
      viewBox="0 0 240 160"
      width={size}
      height={Math.round((size * 2) / 3)}
      aria-hidden="true"
    >
      {lit && <path className={styles.light} d="M66 46h108l44 96H22z" />}
      <path className={styles.stem} d="M120 46v92M152 47v16M0 142h240" />
      <path
        className={lit ? styles.shade : styles.dark}
        d="M50 44c4-28 28-42 70-42s66 14 70 42c0 2-1 3-3 3H53c-2 0-3-1-3-3z"
      />
    </svg>
  )
}
