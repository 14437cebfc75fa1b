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
  let bytes = 0
  for (const run of runsOf(text)) {
    for (const gram of keptOfRun(run)) {
      if (kept.has(gram)) continue
      bytes += Buffer.byteLength(gram)
      if (bytes > MOST_BYTES) return [...kept].join(' ')
      kept.add(gram)
    }
  }
  return [...kept].join(' ')
}

export type SearchTerm = { gram: string; beginning: boolean }

/** The terms of a query; a message must have all of them. A single Han character is matched as the beginning of a gram. */
export function searchTerms(words: string, most: number): SearchTerm[] {
  const found = [...new Set(grams(words).split(' '))].filter(gram => gram !== '').slice(0, most)
  return found.map(gram => ({ gram, beginning: HAN.test(gram) && [...gram].length === 1 }))
}

function runsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORDS) ?? []
  return words.flatMap(word => (SOME_HAN.test(word) ? word.match(RUNS) ?? [] : word))
}

function gramsOfRun(run: string): string[] {
  if (!HAN.test(run)) return [run.length <= LONGEST_WORD ? run : [...run].slice(0, LONGEST_WORD).join('')]
  const characters = [...run]
  return characters.length === 1 ? characters : characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

function keptOfRun(run: string): string[] {
  const found = gramsOfRun(run)
  if (HAN.test(run)) found.push([...run].at(-1) ?? '')
  return found
}
