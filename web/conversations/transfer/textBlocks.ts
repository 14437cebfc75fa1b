/** Replaces blocks that begin with a tag of such a kind and end with `closing`; null leaves one as it is. In one pass, however many there are. */
export function withBlocks(
  text: string,
  opening: RegExp,
  closing: string,
  write: (attributes: string, inside: string) => string | null,
): string {
  const pieces: string[] = []
  const search = new RegExp(opening.source, 'gi')
  let from = 0
  for (let open = search.exec(text); open !== null; open = search.exec(text)) {
    const begin = open.index + open[0].length
    const end = text.indexOf(closing, begin)
    if (end < 0) break
    const written = write(open[1] ?? '', text.slice(begin, end))
    if (written === null) continue
    pieces.push(text.slice(from, open.index), written)
    from = end + closing.length
    search.lastIndex = from
  }
  return pieces.join('') + text.slice(from)
}
