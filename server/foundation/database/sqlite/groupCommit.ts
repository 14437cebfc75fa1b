import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextMacrotask } from 'node:timers/promises'

/**
 * Milliseconds of work after which a batch takes in no further unit, so that reads and the event loop have their turn.
 */
const MAX_BATCH = 5

export type GroupCommit = ReturnType<typeof openGroupCommit>

type Dependencies = {
  /** Runs a statement that returns nothing. */
  run(sql: string): void
  /** Whether a transaction is open; some errors of SQLite end it. */
  isInTransaction(): boolean
  /** Whether anything was written since the previous call. */
  hasWritten(): boolean
  /** Flushes the log, with all that was committed, to the disk. */
  sync(): Promise<void>
  /** Called after each batch, also one that failed. The next batch waits for it. */
  afterBatch(): Promise<void>
  longest_batch?: number
}

type Failure = { error: unknown }
type Unit = { work(): Promise<void>; failure: Failure | null; settled: PromiseWithResolvers<void> }

/**
 * Group commit on one connection: units that wait to be written share one transaction, each behind the first in a
 * savepoint of its own, and all resolve after one fsync. The next batch is committed while the disk is still busy with
 * the one before.
 */
export function openGroupCommit({
  run,
  isInTransaction,
  hasWritten,
  sync,
  afterBatch,
  longest_batch = MAX_BATCH,
}: Dependencies) {
  const waiting = writeQueue<Unit>()
  const synced = coalescedSync(sync)
  let batches: Promise<void> | null = null
  let batch: Promise<unknown> = Promise.resolve()
  /** Resolves when all units committed so far are settled. */
  let settling: Promise<void> = Promise.resolve()

  /** The first unit needs no savepoint: the whole transaction is its own until it has ended. */
  async function runFirst(unit: Unit): Promise<void> {
    try {
      run('begin immediate')
      await unit.work()
    } catch (error) {
      unit.failure = { error }
      rollBack()
    }
  }

  async function runInSavepoint(unit: Unit): Promise<void> {
    run('savepoint unit')
    try {
      await unit.work()
      run('release unit')
    } catch (error) {
      unit.failure = { error }
      if (!isInTransaction()) throw error
      run('rollback to unit')
      run('release unit')
    }
  }

  async function commitBatch(first: Unit): Promise<Unit[]> {
    const units: Unit[] = []
    const full = performance.now() + longest_batch
    try {
      for (
        let unit: Unit | undefined = first;
        unit !== undefined;
        unit = performance.now() < full ? waiting.next() : undefined
      ) {
        units.push(unit)
        await (isInTransaction() ? runInSavepoint(unit) : runFirst(unit))
      }
      if (isInTransaction()) run('commit')
    } catch (error) {
      rollBack()
      failAll(units, error)
    }
    return units
  }

  function rollBack(): void {
    if (isInTransaction()) run('rollback')
    hasWritten() // resets it: nothing of this has to reach the disk
  }

  async function settleAfterSync(units: readonly Unit[], before: Promise<void>): Promise<void> {
    await synced().catch((error: unknown) => failAll(units, error))
    settle(units)
    await before
  }

  async function runBatches(): Promise<void> {
    // What arrived at the same moment is read from its sockets in one turn of the event loop, and shares the commit.
    await nextMacrotask()
    for (let first = waiting.next(); first !== undefined; first = waiting.next()) {
      const committing = commitBatch(first)
      batch = committing
      const units = await committing
      if (hasWritten()) settling = settleAfterSync(units, settling)
      else settle(units)
      await afterBatch()
      if (!waiting.isEmpty()) await nextMacrotask()
    }
    batches = null
  }

  /** Resolves when nothing is running or waiting. */
  async function idle(): Promise<void> {
    const before = settling
    await batches
    await settling
    if (batches !== null || settling !== before) await idle()
  }

  return {
    /** All of the work or none; resolves when it is on the disk. Of low priority: later work may go first. */
    async write<T>(work: () => Promise<T>, lowPriority = false): Promise<T> {
      const result: { value?: T } = {}
      const unit: Unit = {
        // Whoever came first runs the batch: the work goes on as that of its own caller.
        work: AsyncLocalStorage.bind(async () => void (result.value = await work())),
        failure: null,
        settled: Promise.withResolvers(),
      }
      waiting.join(unit, lowPriority)
      batches ??= runBatches()
      await unit.settled.promise
      return result.value as T // the work has succeeded
    },

    /** For queries outside of transactions: they wait for the running batch, which may be rolled back. */
    async read<T>(query: () => T): Promise<T> {
      while (isInTransaction()) await batch
      return query()
    },

    idle,
  }
}

function settle(units: readonly Unit[]): void {
  for (const { failure, settled } of units) {
    if (failure === null) settled.resolve()
    else settled.reject(failure.error)
  }
}

/** A unit that was rolled back keeps its own reason. */
function failAll(units: readonly Unit[], error: unknown): void {
  for (const unit of units) unit.failure ??= { error }
}

/**
 * Coalesced fsync: one runs at a time, and all who ask meanwhile share the next one, since the running one may have
 * started before their writes. Each promise says that what was written before the call is on the disk.
 */
export function coalescedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    next = null
    const started = sync()
    const ended = started
      .catch(() => undefined)
      .then(() => {
        if (running === ended) running = null
      })
    running = ended
    return started
  }

  return () => {
    if (next !== null) return next
    if (running === null) return start()
    next = running.then(start)
    return next
  }
}

/** Milliseconds after which a unit of low priority is as urgent as the others. */
const MAX_WAIT = 250

/**
 * What waits to be written, first in, first out. Low priority lets the others go first, but not for long: somebody in
 * an upstream's queue may be waiting for the completion of another ask. `now` is milliseconds of a monotonic clock.
 */
export function writeQueue<Unit>(now: () => number = () => performance.now(), longest_wait = MAX_WAIT) {
  const normal: Unit[] = []
  const low: { unit: Unit; since: number }[] = []

  function isOverdue(): boolean {
    const [first] = low
    return first !== undefined && now() - first.since > longest_wait
  }

  return {
    isEmpty: (): boolean => normal.length + low.length === 0,
    join(unit: Unit, lowPriority: boolean): void {
      if (lowPriority) low.push({ unit, since: now() })
      else normal.push(unit)
    },
    next(): Unit | undefined {
      if (normal.length === 0 || isOverdue()) return low.shift()?.unit
      return normal.shift()
    },
  }
}
