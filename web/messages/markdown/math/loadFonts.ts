/** Milliseconds that a formula waits for its fonts. */
const MAX_MS = 1_000

/** The fonts of nearly every formula: without them it would be laid out twice. One that cannot be fetched, or is late, is done without. */
export async function loadFonts(): Promise<void> {
  const loads = ['1em KaTeX_Main', 'italic 1em KaTeX_Math'].map(font => document.fonts.load(font))
  await Promise.race([Promise.allSettled(loads), new Promise(resolve => setTimeout(resolve, MAX_MS))])
}
