// Pieces as a tokenizer makes them: parts of words with their leading space, one or two Han characters.
const HAN = /\p{Script=Han}{1,2}/v
const WORD = /[^\S\n]?[[\p{L}\p{M}]--\p{Script=Han}]{1,7}/v
const NUMBER = /[^\S\n]?\p{N}{1,3}/v
const MARKS = /[^\S\n]?[^\s\p{L}\p{M}\p{N}]{1,3}/v
const SPACE = /\n+|\s/v
const PIECE = new RegExp([HAN, WORD, NUMBER, MARKS, SPACE, /[^]/v].map(part => part.source).join('|'), 'gv')

/** Splits a text into small pieces; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(PIECE) ?? []
}
