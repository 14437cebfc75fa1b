import type { Source } from '#contract/models.ts'
import { askLogStore, NO_TOKENS } from '#server/asks/logStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { LIMIT_REFUSALS } from './rules.ts'

const MINUTE = 60_000
/** Most that are logged of a person in a minute, in each process: a program that asks again and again fills no disk. */
const MAX_OF_A_PERSON = 20

/** Logs asks that a limit refused: nothing else is stored of them. */
export function openRefusedAsks({ open, clock, log }: { open: OpenDatabase; clock: Clock; log: Log }) {
  /** Of people who were refused lately: since when, and how often. */
  const refused = new Map<number, { since: number; count: number }>()

  function mayLog(user_id: number): boolean {
    const now = clock.monotonic()
    const known = refused.get(user_id)
    const { since, count } = known !== undefined && now - known.since < MINUTE ? known : { since: now, count: 0 }
    refused.set(user_id, { since, count: count + 1 })
    return count < MAX_OF_A_PERSON
  }

  /** Resolves when it is logged, or could not be. */
  return async (
    { user_id, source, model }: { user_id: number; source: Source; model: string },
    refusal: unknown,
  ): Promise<void> => {
    if (!(refusal instanceof Refusal) || !LIMIT_REFUSALS.has(refusal.key) || !mayLog(user_id)) return
    const row = {
      log_time: clock.now(),
      source,
      model,
      user_id,
      conversation_id: null,
      queueing_time: 0,
      ask_time: 0,
      upstream_id: null,
      outcome: 'refused',
      failure_key: refusal.key,
      answered: false,
      ...NO_TOKENS,
    } as const
    await open
      .transaction(trx => askLogStore(trx).write(row), { lowPriority: true })
      .catch((error: unknown) => log.warn({ err: error }, 'a refused ask could not be logged'))
  }
}
