import { queueStore } from '#server/asks/queueStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Ticket } from './moves.ts'

/** Milliseconds for which an estimate is reused. */
const MAX_AGE = 5_000

/** How long a waiting ask has to wait, in seconds, by how long the latest answers of its model took; null when there are none. */
export function openEstimates({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  const store = queueStore(open.database)
  const known = new Map<string, { time: number; milliseconds: number | null }>()

  async function answerTime({ source, model }: Pick<Ticket, 'source' | 'model'>): Promise<number | null> {
    const key = `${source} ${model}`
    const latest = known.get(key)
    if (latest !== undefined && clock.monotonic() - latest.time <= MAX_AGE) return latest.milliseconds
    const times = (await store.recentTimes(source, model)).map(row => (row.end_time ?? 0) - (row.start_time ?? 0))
    const milliseconds = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length
    known.set(key, { time: clock.monotonic(), milliseconds })
    return milliseconds
  }

  return async (
    ask: Pick<Ticket, 'source' | 'model'>,
    position: number,
    concurrency: number,
  ): Promise<number | null> => {
    const milliseconds = await answerTime(ask)
    return milliseconds === null ? null : Math.max(1, Math.round((milliseconds * position) / concurrency / 1000))
  }
}
