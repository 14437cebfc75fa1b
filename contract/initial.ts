/** A letter or digit without a combining mark or joiner after it: the character is then the whole grapheme. */
const PLAIN = /^[\p{L}\p{N}](?![\p{M}\u200d])/u

/**
 * The first letter or emoji (one grapheme) of a name. Creating a segmenter takes tens of milliseconds, and most names
 * need none.
 */
export function initialOf(nickname: string): string {
  const name = nickname.trim()
  const first = PLAIN.exec(name)?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment
  return (first ?? '?').toUpperCase()
}
