import styles from './Avatar.module.css'

/** A letter or digit that stands by itself, as most names begin with. What goes on with a mark or a joiner is not one by its code alone. */
const PLAIN = /^[\p{L}\p{N}](?![\p{M}\u200d])/u
/** The same for nearly all of them, without the table of all marks, which takes a millisecond to make. */
const COMMON = /^[\dA-Za-z\u3400-\u9fff](?=[\dA-Za-z\u3400-\u9fff\s]|$)/

/** The first letter or emoji (one grapheme) of a name; soft green for the signed-in user, grey for others. */
export function Avatar({ nickname, large = false }: { nickname: string; large?: boolean }) {
  return (
    <span className={`${styles.avatar} ${large ? styles.large : ''}`} aria-hidden="true">
      {initialOf(nickname.trim()).toUpperCase()}
    </span>
  )
}

/** A segmenter takes longer to make than all of what surrounds a face: only for a name that needs one. */
function initialOf(name: string): string {
  return (
    (COMMON.exec(name) ?? PLAIN.exec(name))?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment ?? '?'
  )
}
