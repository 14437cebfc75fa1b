import { simplified } from './simplifiedHan.ts'

/**
 * Tokenizer of the search. The index, the query and the highlighting use the same one, so that what is found is what is
 * highlighted.
 */

/**
 * A token. `pairs`: text of a script without spaces, indexed by overlapping pairs of characters. `word`: indexed whole
 * and by its parts. `emoji`: indexed whole and by the emoji it is joined from.
 */
export type Run = { kind: 'pairs' | 'word' | 'emoji'; at: number; text: string }

/** Characters. A shorter search word is found as a whole word only, not as the beginning of one. */
export const SHORTEST_BEGINNING = 3

/** Parts of one word that are indexed; later parts are not found by their beginning. */
const MAX_PARTS = 16
/**
 * A word with more changes between letters and digits is a random code, such as a hash, and is not split into parts.
 */
const MAX_CHANGES = 3

const PAIRED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー\u3099\u309A`
const EMOJI = String.raw`\p{RI}{2}|\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic})*`
const NUMBER = String.raw`\p{Nd}+(?:\.\p{Nd}+)*`
const LETTER = String.raw`(?![${PAIRED}])[\p{L}\p{M}\p{Nl}\p{No}]`
/**
 * Anything else separates words, so that a term never contains query syntax. Dots belong to numbers, underscores to
 * names.
 */
const RUNS = new RegExp(
  `([${PAIRED}]+)|(${EMOJI})|(?:${NUMBER}|${LETTER})(?:${NUMBER}|${LETTER}|_+(?=[\\p{L}\\p{Nd}]))*`,
  'gu',
)

/** Parts of a name: `HTML`, `Parser` and `2` of HTMLParser2. Capitals with a plural s are one part: URLs. */
const PIECES = /\p{Lu}+(?=\p{Lu}\p{Ll}{2})|\p{Lu}?[^\p{Lu}\p{Nd}.]+|\p{Lu}+\p{Ll}?|\p{Nd}+/gu
const ONE_PIECE = /^\p{L}[\p{Ll}\p{Lo}\p{M}]*$/u
const DIGIT = /^\p{Nd}/u

const ASCII = /^[\0-\x7f]*$/
/** Characters that may contain marks or are dropped. */
const MARKED = /[\u20D0-\u20FF\uFE0E\uFE0F\p{Emoji_Modifier}\xAD\xC0-\u1FFF]/u
/** Accents and vowel points, which people leave out when they type; soft hyphens, variants and colours of emoji. */
const MARKS =
  /[\u0300-\u036F\u1DC0-\u1DFF\u1AB0-\u1AFF\u20D0-\u20FF\uFE0E\uFE0F\u0483-\u0487\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\p{Emoji_Modifier}\xAD\u0640]/gu
/** Letters whose mark Unicode does not decompose. */
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

/** Letters that people type as two, where a keyboard lacks them. */
const DOUBLED: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'TH',
  ð: 'd',
  Ð: 'D',
}
const DOUBLE = /[ßẞæÆœŒþÞðÐ]/g

/**
 * Folds a text to what people type: no accents, no width variants, simplified characters. Capitals stay, because they
 * separate the parts of names.
 */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text
  return simplified(withoutAccents(text).replace(DOUBLE, letter => DOUBLED[letter] ?? letter))
}

/** As texts were folded before schema 23: messages are still indexed so until the search index has been made anew. */
function withoutAccents(text: string): string {
  if (ASCII.test(text)) return text
  const plain = text.normalize('NFKC')
  if (!MARKED.test(plain)) return plain
  return plain
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(STROKED, letter => STROKES[letter] ?? letter)
}

/** The tokens of a folded text, in order. */
export function runsOf(folded: string): Run[] {
  return Array.from(folded.matchAll(RUNS), match => {
    const [text, pairs, emoji] = match
    return { kind: pairs !== undefined ? 'pairs' : emoji !== undefined ? 'emoji' : 'word', at: match.index, text }
  })
}

/** The overlapping pairs of characters of a token; a single character is its own pair. */
export function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

/** Normalises a word or a part for comparison. */
export const plainWord = (part: string): string => part.replaceAll('_', '').toLowerCase().replaceAll('ς', 'σ')

/** Offsets of a word's parts, the word itself first: 0, 4 in userName; 0, 1, 3, 6 in v0.11.3. */
export function beginningsIn(word: string): number[] {
  if (ONE_PIECE.test(word)) return [0]
  const beginnings: number[] = []
  let at = 0
  for (const name of word.split('_')) {
    for (const beginning of name === '' ? [] : beginningsInName(name)) beginnings.push(at + beginning)
    at += name.length + 1
  }
  return beginnings.slice(0, MAX_PARTS)
}

function beginningsInName(name: string): number[] {
  const pieces = Array.from(name.matchAll(PIECES), match => ({ at: match.index, isNumber: DIGIT.test(match[0]) }))
  const changes = pieces.filter(({ isNumber }, index) => index > 0 && pieces[index - 1]?.isNumber !== isNumber).length
  return changes > MAX_CHANGES ? [0] : pieces.map(({ at }) => at)
}
