/** Letters, digits and combining marks. Everything else separates words, so a gram never contains query syntax. */
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** Chinese has no spaces: a run of Han characters is split into pairs, other characters of the same word are not. */
const RUNS = /\p{Script=Han}+|\P{Script=Han}+/gu

const HAN = /^\p{Script=Han}/u
const SOME_HAN = /\p{Script=Han}/u

/** Of longer words only the beginning is indexed. PostgreSQL takes none above 2,046 bytes. */
const LONGEST_WORD = 64

/** Total bytes of the distinct grams of a message; what comes after is not indexed. PostgreSQL takes at most 1 MiB. */
const MOST_BYTES = 1_000_000

/** The search terms of a text, separated by spaces: overlapping pairs of Han characters, and other words whole, in lower case. */
export function grams(text: string): string {
  return runsOf(text).flatMap(gramsOfRun).join(' ')
}

/** The terms to index for a message. The last character of each Han run is added, so that every single character begins a gram. */
export function keptGrams(text: string): string {
  const kept = new Set<string>()
  for (const run of runsOf(text)) addKept(kept, run)
  const joined = [...kept].join(' ')
  // A letter of a string is three bytes at most: only what is very long has to be counted.
  return joined.length * 3 <= MOST_BYTES ? joined : firstOf(kept)
}

function firstOf(grams: Iterable<string>): string {
  const first: string[] = []
  let bytes = 0
  for (const gram of grams) {
    bytes += Buffer.byteLength(gram)
    if (bytes > MOST_BYTES) break
    first.push(gram)
  }
  return first.join(' ')
}

export type SearchTerm = { gram: string; beginning: boolean }

/** The terms of a query; a message must have all of them. A single Han character is matched as the beginning of a gram. */
export function searchTerms(words: string, most: number): SearchTerm[] {
  const found = [...new Set(grams(words).split(' '))].filter(gram => gram !== '').slice(0, most)
  return found.map(gram => ({ gram, beginning: HAN.test(gram) && [...gram].length === 1 }))
}

function runsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const words = plain.match(WORDS) ?? []
  return SOME_HAN.test(plain) ? words.flatMap(word => (SOME_HAN.test(word) ? word.match(RUNS) ?? [] : word)) : words
}

function gramsOfRun(run: string): string[] {
  if (!HAN.test(run)) return [beginningOf(run)]
  const characters = [...run]
  return characters.length === 1 ? characters : characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

const beginningOf = (word: string) => (word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join(''))

function addKept(kept: Set<string>, run: string): void {
  if (!HAN.test(run)) {
    kept.add(beginningOf(run))
    return
  }
  let before = ''
  for (const character of run) {
    if (before !== '') kept.add(before + character)
    before = character
  }
  kept.add(before)
}
