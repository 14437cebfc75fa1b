import type { Configuration } from '#contract/configuration/configuration.ts'
import { askStore } from '#server/asks/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { keyStore } from './store.ts'
import { invalidity } from './validity.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  log: Log
  configuration(): Configuration
  /** Ends an ask, wherever it runs. */
  stopAsk(ask_id: string): Promise<unknown>
}

/** Milliseconds between checks: within five seconds a key that does not hold any more has nothing running. */
const CHECK_EVERY = 2_000

export const stopAsksOf = async (
  { open, stopAsk }: Pick<Dependencies, 'open' | 'stopAsk'>,
  key_ids: readonly number[],
): Promise<void> => {
  const asks = await askStore(open.database).livingOfKeys(key_ids)
  await Promise.all(asks.map(({ ask_id }) => stopAsk(ask_id)))
}

/**
 * Ends what is asked by keys that do not hold any more, whatever the reason: expired, revoked while an ask was being
 * admitted, the plan has no keys any more, the owner was deactivated. Every process looks, at the asks of all. Returns
 * what stops looking.
 */
export function endAsksOfInvalidKeys(dependencies: Dependencies): () => Promise<void> {
  const { open, clock, log, configuration } = dependencies

  async function check(): Promise<void> {
    const asking = await askStore(open.database).askingKeys()
    if (asking.length === 0) return
    const rows = await keyStore(open.database).listById(asking)
    const holding = new Set(
      rows.filter(row => invalidity(row, configuration(), clock.now()) === null).map(({ id }) => id),
    )
    const invalid = asking.filter(id => !holding.has(id))
    if (invalid.length > 0) await stopAsksOf(dependencies, invalid)
  }

  let checking: Promise<void> | null = null
  const timer = setInterval(() => {
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'the keys of running asks could not be looked at'))
      .finally(() => {
        checking = null
      })
  }, CHECK_EVERY).unref()

  return async () => {
    clearInterval(timer)
    await checking
  }
}
