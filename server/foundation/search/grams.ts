import {
  beginningsIn,
  foldedText,
  pairsOf,
  plainWord,
  type Run,
  runsOf,
  SHORTEST_BEGINNING,
} from '#contract/searchTerms.ts'

/** A suffix that marks the term of a part of a word, so that it differs from the term of a whole word. */
export const PART = '~'

/** Of longer words only the beginning is indexed. PostgreSQL takes none above 2,046 bytes. */
const MAX_WORD = 64

/** Total bytes of the terms of a message; what comes after is not indexed. PostgreSQL takes at most 1 MiB. */
const MAX_BYTES = 1_000_000

/**
 * The distinct terms of a text, for both databases. Scripts without spaces: overlapping pairs of characters, and the
 * last character of each run, so that every character begins a term. Other words: whole and by their parts, in lower
 * case and without accents. Emoji: each by itself.
 */
export function grams(text: string): string[] {
  const found = new Set<string>()
  for (const run of runsOf(foldedText(text))) addTerms(found, run)
  return firstOf(withoutDoubled(found))
}

function addTerms(found: Set<string>, { kind, text }: Run): void {
  if (kind === 'pairs') return addPairs(found, text)
  if (kind === 'word') return addWord(found, text)
  found.add(text)
  const joined = text.split('\u200D')
  if (joined.length > 1) for (const each of joined) found.add(`${each}${PART}`)
}

function addPairs(found: Set<string>, run: string): void {
  let before = ''
  for (const character of run) {
    if (before !== '') found.add(before + character)
    before = character
  }
  found.add(before)
}

function addWord(found: Set<string>, text: string): void {
  const word = text.slice(0, 4 * MAX_WORD)
  found.add(beginningOf(plainWord(word)))
  const beginnings = beginningsIn(word)
  if (beginnings.length === 1) return
  for (const [index, beginning] of beginnings.entries()) {
    // Nobody searches for a single letter, but for a part that begins with it.
    const rest = plainWord(word.slice(beginning))
    if (index > 0 && !isLetter(rest)) found.add(`${beginningOf(rest)}${PART}`)
    // A longer piece needs no term: it is a prefix of the rest.
    const piece = plainWord(word.slice(beginning, beginnings[index + 1])).replace('.', '')
    if (piece !== rest && isShort(piece) && !isLetter(piece)) found.add(`${piece}${PART}`)
  }
}

const isShort = (word: string) => word.length < SHORTEST_BEGINNING || [...word].length < SHORTEST_BEGINNING
const isLetter = (word: string) => /^\P{Nd}$/u.test(word)

const beginningOf = (word: string) => (word.length <= MAX_WORD ? word : [...word].slice(0, MAX_WORD).join(''))

/** A part that equals a whole word of the text is left out. */
function withoutDoubled(found: ReadonlySet<string>): string[] {
  return [...found].filter(term => !term.endsWith(PART) || !found.has(term.slice(0, -PART.length)))
}

function firstOf(terms: string[]): string[] {
  // A UTF-16 unit is at most three bytes of UTF-8, so only very long texts have to be counted.
  if (terms.reduce((length, term) => length + term.length + 1, 0) * 3 <= MAX_BYTES) return terms
  let bytes = 0
  return terms.filter(term => (bytes += Buffer.byteLength(term) + 1) <= MAX_BYTES)
}

/**
 * A term of a query. A `pair` matches itself; a `character` any term that begins with it; a `word` itself and any word
 * that begins with it; a `short` word any part that begins with it.
 */
export type QueryTerm = { term: string; kind: 'pair' | 'character' | 'word' | 'short' }

/** The terms of a query; a message must have all of them. */
export function queryTerms(words: string, most: number): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const run of runsOf(foldedText(words))) {
    for (const each of termsOfRun(run)) terms.set(each.term, each)
    if (terms.size >= most) break
  }
  return [...terms.values()].slice(0, most)
}

function termsOfRun({ kind, text }: Run): QueryTerm[] {
  if (kind === 'emoji') return [{ term: text, kind: 'short' }]
  if (kind === 'pairs') {
    const pairs = pairsOf(text)
    return pairs.map(term => ({ term, kind: [...text].length === 1 ? 'character' : 'pair' }))
  }
  const term = beginningOf(plainWord(text))
  return [{ term, kind: isShort(term) ? 'short' : 'word' }]
}
