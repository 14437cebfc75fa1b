import type { JournalEntry } from '#simulator/simulator.ts'

/** Counts answers that differ in any character from what the upstream sent. Time stamps make every answer unique. */
export async function countWrong(texts: readonly string[], upstream: string, after: number): Promise<number> {
  const sent = new Set((await journalAfter(upstream, after)).map(entry => entry.sent))
  return texts.filter(text => text === '' || !sent.has(text)).length
}

export async function lastInJournal(upstream: string): Promise<number> {
  return (await journalAfter(upstream, 0)).at(-1)?.id ?? 0
}

async function journalAfter(upstream: string, after: number): Promise<JournalEntry[]> {
  return (await fetch(new URL(`/simulator/journal?after=${after}`, upstream))).json()
}
