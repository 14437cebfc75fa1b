import { beginningsIn, foldedText, pairsOf, plainWord, type Run, runsOf, SHORTEST_BEGINNING } from './searchTerms.ts'

type TextRange = [start: number, end: number]

/** Words of a search that are looked for. */
const MAX_WORDS = 32

/**
 * The [start, end) ranges in which a text matches a search: beginnings of words and of their parts, without regard to
 * case, width and accents. The server cuts excerpts by them, the page highlights them.
 */
export function rangesOf(text: string, words: string): TextRange[] {
  const looked = runsOf(foldedText(words)).slice(0, MAX_WORDS)
  if (looked.length === 0) return []
  const { folded, original } = foldedWithRanges(text)
  const runs = runsOf(folded)
  return merged(looked.flatMap(each => rangesOfRun(runs, each)).map(original))
}

/** The ranges in which a text contains the words anywhere, as the search in titles finds them. */
export function rangesAnywhere(text: string, words: string): TextRange[] {
  const { folded, original } = foldedWithRanges(text)
  const lower = folded.toLowerCase() // as `foldedAnywhere`, place by place
  return merged(
    wordsAnywhere(words)
      .flatMap(word => rangesIn(lower, word))
      .map(original),
  )
}

/** Whether a text contains all words, anywhere and in any order. */
export function hasAnywhere(text: string, words: string): boolean {
  const folded = foldedAnywhere(text)
  return wordsAnywhere(words).every(word => folded.includes(word))
}

/** A text as it is stored for that search, without regard to case, width and accents. */
export const foldedAnywhere = (text: string): string => foldedText(text).toLowerCase()

export const foldedTitle = (title: string | null): string | null => (title === null ? null : foldedAnywhere(title))

/** The words of such a search, each of which a text must contain. */
export const wordsAnywhere = (words: string): string[] => [
  ...new Set(
    foldedAnywhere(words)
      .split(/\s+/)
      .filter(word => word !== ''),
  ),
]

function rangesOfRun(runs: readonly Run[], looked: Run): TextRange[] {
  const same = runs.filter(({ kind }) => kind === looked.kind)
  if (looked.kind === 'word') {
    const term = plainWord(looked.text)
    return same.flatMap(({ at, text }) =>
      rangesInWord(text, term).map(([start, end]): TextRange => [at + start, at + end]),
    )
  }
  const whole = rangesInRuns(same, looked.text)
  // The pairs of a longer token may stand apart in the text.
  return whole.length > 0 || looked.kind === 'emoji'
    ? whole
    : pairsOf(looked.text).flatMap(pair => rangesInRuns(same, pair))
}

const rangesInRuns = (runs: readonly Run[], looked: string) =>
  runs.flatMap(({ at, text }) => rangesIn(text, looked).map(([start, end]): TextRange => [at + start, at + end]))

function rangesInWord(word: string, term: string): TextRange[] {
  if (!plainWord(word).includes(term)) return []
  const beginnings = beginningsIn(word)
  const isFound =
    [...term].length >= SHORTEST_BEGINNING
      ? (beginning: number) => plainWord(word.slice(beginning)).startsWith(term)
      : (beginning: number, index: number) =>
          [word.slice(beginning), word.slice(beginning, beginnings[index + 1]).replace(/\.$/, '')].some(
            part => plainWord(part) === term,
          )
  return beginnings.filter(isFound).map((beginning): TextRange => [beginning, endOf(word, beginning, term.length)])
}

/** The offset after that many characters; underscores do not count. */
function endOf(word: string, beginning: number, length: number): number {
  let end = beginning
  for (let left = length; left > 0 && end < word.length; end++) if (word[end] !== '_') left--
  return end
}

function rangesIn(text: string, word: string): TextRange[] {
  const ranges: TextRange[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    ranges.push([at, at + word.length])
  return ranges
}

function merged(ranges: readonly TextRange[]): TextRange[] {
  const all: TextRange[] = []
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/**
 * Characters that folding may change in length: a base with its marks, or anything except ASCII and the most frequent
 * Chinese, Japanese and Korean.
 */
const CHANGING =
  /.[\p{M}\uFF9E\uFF9F\p{Emoji_Modifier}]+|[\u1100-\u11FF]+|[^\0-\x7f\u3001\u3002\u3041-\u3096\u30A1-\u30FC\u4E00-\u9FFF\uAC00-\uD7A3]/gsu

type Change = { at: number; end: number; start: number; behind: number }

/** Folds a text; `original` maps a range of the folded text to one of the text. */
function foldedWithRanges(text: string): { folded: string; original(range: TextRange): TextRange } {
  let folded = ''
  let from = 0
  /** Characters whose length changed: their range in the folded text (at, end) and in the text (start, behind). */
  const changes: Change[] = []
  for (const { index, 0: characters } of text.matchAll(CHANGING)) {
    const change = foldedText(characters)
    if (change.length === characters.length) continue
    folded += foldedText(text.slice(from, index))
    from = index + characters.length
    changes.push({ at: folded.length, end: folded.length + change.length, start: index, behind: from })
    folded += change
  }
  folded += foldedText(text.slice(from))
  return { folded, original: ([start, end]) => [startIn(changes, start), endIn(changes, end)] }
}

/** A range that starts or ends inside a changed character covers it whole. */
function startIn(changes: readonly Change[], at: number): number {
  const before = changes.findLast(change => change.at <= at)
  if (before === undefined) return at
  return at < before.end ? before.start : before.behind + at - before.end
}

function endIn(changes: readonly Change[], end: number): number {
  const before = changes.findLast(change => change.at < end)
  if (before === undefined) return end
  return end <= before.end ? before.behind : before.behind + end - before.end
}
