import styles from './Avatar.module.css'

const letters = new Intl.Segmenter()

/** The first letter or emoji (one grapheme) of a name; soft green for the signed-in user, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  const initial = letters.segment(nickname.trim()).containing(0)?.segment ?? '?'
  return <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">{initial.toUpperCase()}</span>
}
