import styles from './Illustration.module.css'

/** Lit for a welcome, unlit for an empty screen. */
export function Illustration({ lit, size = 104 }: { lit: boolean; size?: number }) {
  return (
    <svg
      className={styles.illustration}
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

/** The same, small, beside the product's name. */
export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path className={styles.logoLight} d="M6.5 10.5h11l3 9.5h-17z" opacity=".5" />
      <path
        className={styles.shade}
        d="M2.5 10.5c.4-4.3 4-7 9.5-7s9.1 2.7 9.5 7a.6.6 0 0 1-.6.6H3.1a.6.6 0 0 1-.6-.6z"
      />
      <path className={styles.logoStem} d="M12 11v9M2.5 20.5h19" strokeWidth="1.7" />
      <path className={styles.logoStem} d="M16.5 11.5v2.8" strokeWidth="1.2" />
    </svg>
  )
}
