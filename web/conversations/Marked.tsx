import { placesOf } from '#contract/searchWords.ts'

/** A text with the words marked that were looked for. */
export function Marked({ text, words }: { text: string; words: string }) {
  return <>{partsOf(text, words).map(({ at, part, marked }) => (marked ? <mark key={at}>{part}</mark> : part))}</>
}

type Part = { at: number; part: string; marked: boolean }

function partsOf(text: string, words: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const [start, end] of placesOf(text, words)) {
    parts.push({ at: from, part: text.slice(from, start), marked: false }, { at: start, part: text.slice(start, end), marked: true })
    from = end
  }
  return [...parts, { at: from, part: text.slice(from), marked: false }]
}
