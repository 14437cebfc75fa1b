import styles from './Avatar.module.css'

/** A letter or digit that stands by itself, as most names begin with. What goes on with a mark or a joiner is not one by its code alone. */
const PLAIN = /^[\p{L}\p{N}](?![\p{M}\u200d])/u

/** The first letter or emoji (one grapheme) of a name; soft green for the signed-in user, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  return <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">{initialOf(nickname.trim()).toUpperCase()}</span>
}

/** A segmenter takes longer to make than all of what surrounds a face: only for a name that needs one. */
function initialOf(name: string): string {
  return PLAIN.exec(name)?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment ?? '?'
}
