import type { ImportOutcome, ImportResult } from '#contract/transfer.ts'
import type { RefusedConversation } from './importReasons.ts'

/** What became of a file. */
export type Tally = {
  counts: Record<ImportOutcome, number>
  refused: RefusedConversation[]
  /** Conversations that were not tried, because it was cancelled. */
  left: number
}

export function tallyOf(titles: readonly string[], results: readonly (ImportResult | undefined)[], refusedHere: readonly RefusedConversation[]): Tally {
  const counts: Tally['counts'] = { new: 0, completed: 0, present: 0, refused: refusedHere.length }
  const refused = [...refusedHere]
  for (const [at, result] of results.entries()) {
    if (result === undefined) continue
    counts[result.outcome] += 1
    if (result.outcome === 'refused') refused.push({ title: titles[at] ?? '', reason: result.reason ?? 'errors.internal' })
  }
  return { counts, refused, left: titles.length - results.filter(result => result !== undefined).length }
}
