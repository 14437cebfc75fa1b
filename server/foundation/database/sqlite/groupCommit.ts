import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { coalescedSync } from './coalescedSync.ts'
import { writeQueue } from './writeQueue.ts'

/** Milliseconds of work after which a batch takes in nothing more. */
const LONGEST_BATCH = 5

/** Milliseconds after which a transaction yields to the event loop, before its next query or its commit. */
const LONGEST_SLICE = 0.1

export type GroupCommit = ReturnType<typeof openGroupCommit>

type Dependencies = {
  /** Runs a statement that returns nothing. */
  run(sql: string): void
  /** Whether a transaction is open; some errors end it by themselves. */
  isInTransaction(): boolean
  /** Whether anything was written since this was asked last. */
  hasWritten(): boolean
  /** Flushes everything that was committed to the disk. */
  sync(): Promise<void>
  longest_batch?: number
  longest_slice?: number
}

type Failure = { error: unknown }
type Unit = { work(): Promise<void>; failure: Failure | null; settled: PromiseWithResolvers<void> }

/**
 * Shares the one connection that writes. Everything that waits to be written at a moment goes into one transaction, each part behind the
 * first with a savepoint of its own, and waits for the disk once. No write resolves before that (decision 012).
 */
export function openGroupCommit({
  run,
  isInTransaction,
  hasWritten,
  sync,
  longest_batch = LONGEST_BATCH,
  longest_slice = LONGEST_SLICE,
}: Dependencies) {
  const waiting = writeQueue<Unit>()
  let batches: Promise<void> | null = null
  /** Until all are settled whose work is on the disk. */
  let settling: Promise<void> = Promise.resolve()
  const onDisk = coalescedSync(sync)
  const slices = slicesOf(longest_slice)

  /** Who is first needs no savepoint: all that the transaction holds is theirs to take back. */
  async function asFirst(unit: Unit): Promise<void> {
    try {
      run('begin immediate')
      await unit.work()
    } catch (error) {
      unit.failure = { error }
      rollBack()
    }
  }

  async function inSavepoint(unit: Unit): Promise<void> {
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

  async function commitAll(first: Unit): Promise<Unit[]> {
    const batch: Unit[] = []
    slices.begin()
    try {
      for (
        let unit: Unit | undefined = first;
        unit !== undefined;
        unit = slices.worked() < longest_batch ? waiting.next() : undefined
      ) {
        batch.push(unit)
        await (isInTransaction() ? inSavepoint(unit) : asFirst(unit))
      }
      await slices.rest()
      if (isInTransaction()) run('commit')
    } catch (error) {
      rollBack()
      failAll(batch, error)
    }
    return batch
  }

  function rollBack(): void {
    if (isInTransaction()) run('rollback')
    hasWritten() // resets it: nothing of it has to reach the disk
  }

  async function settleWhenOnDisk(batch: readonly Unit[], others: Promise<void>): Promise<void> {
    await onDisk().catch((error: unknown) => failAll(batch, error))
    settle(batch)
    await others
  }

  async function runBatches(): Promise<void> {
    for (let first = waiting.next(); first !== undefined; first = waiting.next()) {
      const batch = await commitAll(first)
      // The next batch does not wait for the disk, only those who are in this one do.
      if (hasWritten()) settling = settleWhenOnDisk(batch, settling)
      else settle(batch)
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
    /** All of it or nothing; resolves when it is on the disk. Work that gives way lets what came later pass, for a while. */
    async write<T>(work: () => Promise<T>, lowPriority = false): Promise<T> {
      const result: { value?: T } = {}
      const unit: Unit = {
        work: async () => {
          result.value = await work()
        },
        failure: null,
        settled: Promise.withResolvers(),
      }
      waiting.join(unit, lowPriority)
      batches ??= runBatches()
      await unit.settled.promise
      return result.value as T // the work has succeeded
    },

    idle,
    /** Awaited before each query of a transaction: null unless it is time to yield to the event loop first. */
    rest: slices.rest,
  }
}

/** The time of a batch, cut into slices between which the event loop runs. */
function slicesOf(longest: number) {
  let began = 0
  let before = 0
  let isFresh = true
  let resting: Promise<void> | null = null

  return {
    begin(): void {
      began = performance.now()
      before = 0
      isFresh = true
    },
    /** Milliseconds of work, without the pauses. */
    worked: (): number => before + performance.now() - began,
    /** Whoever comes during a pause waits too, so that all go on in the order in which they came; after each pause some work is done. */
    rest(): Promise<void> | null {
      const now = performance.now()
      if (resting === null && (isFresh || now - began < longest)) {
        isFresh = false
        return null
      }
      resting ??= new Promise(resolve => {
        before += now - began
        setImmediate(() => {
          resting = null
          isFresh = true
          began = performance.now()
          resolve()
        })
      })
      return resting
    },
  }
}

function settle(batch: readonly Unit[]): void {
  for (const { failure, settled } of batch) {
    if (failure === null) settled.resolve()
    else settled.reject(failure.error)
  }
}

/** What was rolled back keeps the reason of its own. */
function failAll(batch: readonly Unit[], error: unknown): void {
  for (const unit of batch) unit.failure ??= { error }
}
