import type { ImportOutcome, ImportResult } from '#contract/transfer.ts'
import type { RefusedConversation } from './importReasons.ts'

/** What became of a file. */
export type Tally = {
  counts: Record<ImportOutcome, number>
  refused: RefusedConversation[]
  /** Conversations that were too long for one, and so became several. */
  parted: number
  /** Conversations that were not tried, because it was cancelled. */
  left: number
}

/** `results` has for each title what became of it, or of each conversation that it became. */
export function tallyOf(
  titles: readonly string[],
  results: readonly (ReadonlyMap<number, ImportResult> | undefined)[],
  refusedHere: readonly RefusedConversation[],
): Tally {
  const counts: Tally['counts'] = { new: 0, completed: 0, present: 0, refused: refusedHere.length }
  const refused = [...refusedHere]
  let parted = 0
  let tried = 0
  for (const [at, parts] of results.entries()) {
    if (parts === undefined) continue
    tried += 1
    if (parts.size > 1) parted += 1
    for (const { outcome, reason } of parts.values()) {
      counts[outcome] += 1
      if (outcome === 'refused') refused.push({ title: titles[at] ?? '', reason: reason ?? 'errors.internal' })
    }
  }
  return { counts, refused, parted, left: titles.length - tried }
}
