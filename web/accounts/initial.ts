/** A letter or digit that no mark or joiner follows: then this one character is the whole grapheme. */
const PLAIN = /^[\p{L}\p{N}](?![\p{M}\u200d])/u

/** The first letter or emoji (one grapheme) of a name. A segmenter takes tens of milliseconds to make: most names do without. */
export function initialOf(nickname: string): string {
  const name = nickname.trim()
  const first = PLAIN.exec(name)?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment
  return (first ?? '?').toUpperCase()
}
