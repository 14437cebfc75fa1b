/** What is typed after a slash at the start of a line. */
export type Slash = {
  /** Where the slash is. */
  start: number
  query: string
}

const SLASHES = ['/', '／']
/** Longer than any name that is looked for: it is a path or a sentence. */
const MAX_QUERY = 40

/** The slash of the caret's line, when there is one at its start and the caret is behind it. */
export function slashAt(text: string, caret: number): Slash | null {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  if (caret <= start || caret - start > MAX_QUERY || !SLASHES.includes(text.charAt(start))) return null
  return { start, query: text.slice(start + 1, caret) }
}
