/**
 * How a text is taken apart for the search. The index, the query and the marks on the page all read texts by this file, so that what is found
 * is what is marked.
 */

/**
 * A stretch of text that the search knows. `pairs` is written without spaces and known by its overlapping pairs of characters; a `word` is known
 * whole and by its parts, an `emoji` whole and by what it is joined of.
 */
export type Run = { kind: 'pairs' | 'word' | 'emoji'; at: number; text: string }

/** Fewer letters than that are found whole only, not as the beginning of a word. */
export const SHORTEST_BEGINNING = 3

/** Parts of one word; what comes behind is not found by its own beginning. */
const MOST_PARTS = 16
/** Random codes, such as hashes, change more often between letters and digits. They have no parts. */
const MOST_CHANGES = 3

const PAIRED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A`
const EMOJI = String.raw`\p{RI}{2}|\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic})*`
const NUMBER = String.raw`\p{Nd}+(?:\.\p{Nd}+)*`
const LETTER = String.raw`(?![${PAIRED}])[\p{L}\p{M}\p{Nl}\p{No}]`
/** Everything else separates words, so a term never contains query syntax. Dots belong to numbers, underscores to names. */
const RUNS = new RegExp(
  `([${PAIRED}]+)|(${EMOJI})|(?:${NUMBER}|${LETTER})(?:${NUMBER}|${LETTER}|_+(?=[\\p{L}\\p{Nd}]))*`,
  'gu',
)

/** The pieces of a name: `HTML`, `Parser` and `2` of HTMLParser2. A plural of capitals is one: URLs. */
const PIECES = /\p{Lu}+(?=\p{Lu}\p{Ll}{2})|\p{Lu}?[^\p{Lu}\p{Nd}.]+|\p{Lu}+\p{Ll}?|\p{Nd}+/gu
const ONE_PIECE = /^\p{L}[\p{Ll}\p{Lo}\p{M}]*$/u
const DIGIT = /^\p{Nd}/u

const ASCII = /^[\0-\x7f]*$/
/** Characters that may hold marks, or are left out. */
const MARKED = /[\u20D0-\u20FF\uFE0E\uFE0F\p{Emoji_Modifier}\xAD\xC0-\u1FFF]/u
/** Accents, points of vowels and the like, which readers leave out when they type; soft hyphens, forms and colours of emoji. */
const MARKS =
  /[\u0300-\u036F\u1DC0-\u1DFF\u1AB0-\u1AFF\u20D0-\u20FF\uFE0E\uFE0F\u0483-\u0487\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\p{Emoji_Modifier}\xAD\u0640]/gu
/** Letters whose mark is a part of them. */
const STROKES: Record<string, string> = {
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
}
const STROKED = /[đĐłŁøØħĦŧŦı]/g

/** Without what readers do not type: width and other forms of a character, accents. Capitals stay, for they part names. */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text
  const plain = text.normalize('NFKC')
  if (!MARKED.test(plain)) return plain
  return plain
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(STROKED, letter => STROKES[letter] ?? letter)
}

/** The runs of a folded text, in their order. */
export function runsOf(folded: string): Run[] {
  return Array.from(folded.matchAll(RUNS), match => {
    const [text, pairs, emoji] = match
    return { kind: pairs !== undefined ? 'pairs' : emoji !== undefined ? 'emoji' : 'word', at: match.index, text }
  })
}

/** The overlapping pairs of characters of a run; of a single character itself. */
export function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

/** A word or a part of one as it is compared. */
export const plainWord = (part: string): string => part.replaceAll('_', '').toLowerCase().replaceAll('ς', 'σ')

/** Where the parts of a word begin, itself first: 0, 4 in userName; 0, 1, 3, 6 in v0.11.3. */
export function beginningsIn(word: string): number[] {
  if (ONE_PIECE.test(word)) return [0]
  const beginnings: number[] = []
  let at = 0
  for (const name of word.split('_')) {
    for (const beginning of name === '' ? [] : beginningsInName(name)) beginnings.push(at + beginning)
    at += name.length + 1
  }
  return beginnings.slice(0, MOST_PARTS)
}

function beginningsInName(name: string): number[] {
  const pieces = Array.from(name.matchAll(PIECES), match => ({ at: match.index, isNumber: DIGIT.test(match[0]) }))
  const changes = pieces.filter(({ isNumber }, index) => index > 0 && pieces[index - 1]?.isNumber !== isNumber).length
  return changes > MOST_CHANGES ? [0] : pieces.map(({ at }) => at)
}
