/**
 * UTF-16 units before and behind a place in which its character is looked for: more than any emoji, flag or syllable
 * has.
 */
const NEAR = 256

/**
 * The beginning of a text, of at most so many UTF-16 units, that never ends within what a reader takes for one
 * character: a family of emoji, a flag, a letter with its accents.
 */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, characterAt(text, most).start)

/** The end of a text, cut in the same way. */
export function lastOf(text: string, most: number): string {
  if (text.length <= most) return text
  const from = text.length - most
  const { start, end } = characterAt(text, from)
  return text.slice(start === from ? from : end)
}

/** The beginning of a text with an ellipsis, where not all of it has room. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most - 1).trimEnd()}…`

/** The same for a number of code points, which a long emoji or a rare Chinese character does not use up so fast. */
export function headline(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  if (characters.length <= most) return text
  return `${beginningOf(text, characters.slice(0, most - 1).join('').length).trimEnd()}…`
}

let segmenter: Intl.Segmenter | undefined

/**
 * The range of the character that has this place. One of hundreds of units, such as a letter under a heap of accents,
 * is cut within.
 */
function characterAt(text: string, at: number): { start: number; end: number } {
  const from = withoutHalf(text, Math.max(0, at - NEAR))
  segmenter ??= new Intl.Segmenter()
  const found = segmenter.segment(text.slice(from, at + NEAR)).containing(at - from)
  if (found !== undefined && found.segment.length < NEAR) {
    const start = from + found.index
    return { start, end: start + found.segment.length }
  }
  const start = withoutHalf(text, at)
  return { start, end: start === at ? at : at + 1 }
}

/** The same place, or the one before where it is amidst a surrogate pair. */
const withoutHalf = (text: string, at: number): number =>
  at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xff_ff ? at - 1 : at
