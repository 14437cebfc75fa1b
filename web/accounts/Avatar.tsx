import styles from './Avatar.module.css'

const letters = new Intl.Segmenter()

/** The first letter of a name, or its first emoji, which may be made of several; green-soft for oneself, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  const initial = letters.segment(nickname.trim()).containing(0)?.segment ?? '?'
  return <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">{initial.toUpperCase()}</span>
}
