import { kilobytes, printGoal, printTable, threeDigits } from '../figures.ts'
import { runLoad } from './load.ts'
import type { Target } from './target.ts'
import { countWrong, lastInJournal } from './whole.ts'

/**
 * Bytes per token of short and long answers, at a pace at which no tokens are coalesced: they must not grow with the
 * length.
 */
export async function reportForms([delta, whole]: [Target, Target], quick: boolean, upstream: string) {
  const lengths = [quick ? 60 : 250, quick ? 240 : 2_000]
  const pace = 30
  const after = await lastInJournal(upstream)
  const plans = lengths.map(tokens => ({ streams: 1, tokens, pace, spread_ms: 0 }))
  const loads = await Promise.all([
    ...plans.map((plan, at) => runLoad(asPerson(delta, at), plan)),
    runLoad(asPerson(whole, plans.length), { streams: 1, tokens: quick ? 60 : 250, pace: 100, spread_ms: 0 }),
  ])
  const [short_answer, long_answer, whole_form] = loads
  if (!short_answer || !long_answer || !whole_form) return
  const rows = loads.map(async (load, at) => [
    at < 2 ? 'delta' : 'whole messages',
    String(load.tokens),
    threeDigits(load.bytes / load.tokens),
    threeDigits(load.rate),
    kilobytes(load.bytes),
    String(await countWrong(load.texts, upstream, after)),
  ])
  printTable('Forms', ['', 'tokens', 'bytes/token', 'frames/s', 'sent in all', 'wrong'], await Promise.all(rows))
  printGoal('bytes a token, short answer', short_answer.bytes / short_answer.tokens, 60)
  printGoal('bytes a token, long answer', long_answer.bytes / long_answer.tokens, 60)
  printGoal('whole messages a second', whole_form.rate, 20)
}

/** The target, asked by one particular person. */
function asPerson(target: Target, person: number): Target {
  return { ...target, connect: () => target.connect(person) }
}
