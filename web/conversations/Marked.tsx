import { rangesAnywhere, rangesOf } from '#contract/searchWords.ts'

type MarkedProps = {
  text: string
  words: string
  /** Within words as well, as titles are found; not only where the search finds words. */
  anywhere?: boolean
}

/** A text with the words marked that were looked for. */
export function Marked({ text, words, anywhere = false }: MarkedProps) {
  const ranges = anywhere ? rangesAnywhere(text, words) : rangesOf(text, words)
  return <>{partsOf(text, ranges).map(({ at, part, marked }) => (marked ? <mark key={at}>{part}</mark> : part))}</>
}

type Part = { at: number; part: string; marked: boolean }

function partsOf(text: string, ranges: readonly [number, number][]): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const [start, end] of ranges) {
    parts.push(
      { at: from, part: text.slice(from, start), marked: false },
      { at: start, part: text.slice(start, end), marked: true },
    )
    from = end
  }
  return [...parts, { at: from, part: text.slice(from), marked: false }]
}
