/** A letter or digit that stands by itself, as most names begin with. What goes on with a mark or a joiner is not one by its code alone. */
const PLAIN = /^[\p{L}\p{N}](?![\p{M}\u200d])/u
/** The same for nearly all of them, without the table of all marks, which takes a millisecond to make. */
const COMMON = /^[\dA-Za-z\u3400-\u9fff](?=[\dA-Za-z\u3400-\u9fff\s]|$)/

/** The first letter or emoji (one grapheme) of a name. A segmenter is slow to make, so only for a name that needs one. */
export function initialOf(nickname: string): string {
  const name = nickname.trim()
  const first =
    (COMMON.exec(name) ?? PLAIN.exec(name))?.[0] ?? new Intl.Segmenter().segment(name).containing(0)?.segment
  return (first ?? '?').toUpperCase()
}
