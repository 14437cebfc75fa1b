/** Where words occur in a text, as [start, end) pairs, ignoring case and width. The server cuts excerpts by it, the page highlights by it. */
export function placesOf(text: string, words: string): [start: number, end: number][] {
  const folded = foldedInPlace(text)
  const looked = [...new Set(foldedInPlace(words).split(/\s+/).filter(word => word !== ''))]
  const places = looked.flatMap(word => placesOfOne(folded, word))
  return merged(places.toSorted(([a], [b]) => a - b))
}

function placesOfOne(text: string, word: string): [number, number][] {
  const places: [number, number][] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push([at, at + word.length])
  return places
}

function merged(places: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = []
  for (const [start, end] of places) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/** Folds each character by itself, and only where its length stays the same, so that positions in both texts agree. */
function foldedInPlace(text: string): string {
  // Most texts need no folding but of their case, which keeps the length as well, İ and its like apart.
  const lower = text.toLowerCase()
  if (lower.length === text.length && !/[\u00A0-\u00BE\uFF01-\uFF5E\u3000]/.test(lower)) return lower
  return Array.from(text, character => {
    const folded = character.normalize('NFKC').toLowerCase()
    return folded.length === character.length ? folded : character
  }).join('')
}
