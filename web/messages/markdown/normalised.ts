/** Normalises line endings and the like as the parser would, but before it, since fences are cut out without the parser. */
export function normalised(text: string, done: boolean): string {
  let clean = text
  if (clean.includes('\r')) {
    // The second half of a line ending may still be on its way.
    if (!done && clean.endsWith('\r')) clean = clean.slice(0, -1)
    clean = clean.replace(/\r\n?/g, '\n')
  }
  // What is no character is ours while a text is parsed (cover.ts).
  clean = clean.replace(/[\uFDD0-\uFDD3]/g, '\uFFFD')
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '\uFFFD')
  // Nobody sees it, and the parser takes it away wherever it begins to read.
  return clean.includes('\uFEFF') ? clean.replaceAll('\uFEFF', '') : clean
}
