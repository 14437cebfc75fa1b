/** Milliseconds after which a batch takes in nobody else, so that the rest of the program has its turn. */
const LONGEST_BATCH = 5

export type Turns = ReturnType<typeof sqliteTurns>

type Given = {
  /** Runs a statement that answers nothing. */
  run(sql: string): void
  /** Whether a transaction is open; some failures end it without being asked. */
  isInTransaction(): boolean
  /** Whether anything was written since this was asked last. */
  hasWritten(): boolean
  /** Puts everything that was committed on the disk. */
  sync(): Promise<void>
  longest_batch?: number
}

type Failure = { error: unknown }
type Unit = { work(): Promise<void>; failure: Failure | null; heard: PromiseWithResolvers<void> }

/**
 * The one connection, used in turn. All that waits to be written at a moment shares one transaction, each part with a
 * savepoint of its own, and waits for the disk once; nobody hears of its success before that (decision 012).
 */
export function sqliteTurns({ run, isInTransaction, hasWritten, sync, longest_batch = LONGEST_BATCH }: Given) {
  const waiting: Unit[] = []
  let transaction: PromiseWithResolvers<void> | null = null
  let batches: Promise<void> | null = null

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
    const until = performance.now() + longest_batch
    transaction = Promise.withResolvers()
    try {
      run('begin immediate')
      for (let unit: Unit | undefined = first; unit !== undefined; unit = performance.now() < until ? waiting.shift() : undefined) {
        batch.push(unit)
        await inSavepoint(unit)
      }
      run('commit')
    } catch (error) {
      if (isInTransaction()) run('rollback')
      hasWritten() // of that nothing is left, and nothing has to reach the disk
      if (batch.length === 0) batch.push(first)
      failAll(batch, error)
    }
    transaction.resolve()
    transaction = null
    return batch
  }

  async function runBatches(): Promise<void> {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const batch = await commitAll(first)
      if (hasWritten()) await sync().catch((error: unknown) => failAll(batch, error))
      for (const { failure, heard } of batch) {
        if (failure === null) heard.resolve()
        else heard.reject(failure.error)
      }
      if (waiting.length > 0) await new Promise(resolve => { setImmediate(resolve) })
    }
    batches = null
  }

  /** Sees only what was committed. */
  async function read<T>(work: () => T): Promise<T> {
    return transaction === null ? work() : transaction.promise.then(() => read(work))
  }

  /** Resolves when nothing is going on or waits. */
  async function idle(): Promise<void> {
    if (batches !== null) await batches.then(idle)
  }

  return {
    /** All of it or nothing; resolves when it is on the disk. */
    async write<T>(work: () => Promise<T>): Promise<T> {
      const result: { value?: T } = {}
      const unit: Unit = { work: async () => { result.value = await work() }, failure: null, heard: Promise.withResolvers() }
      waiting.push(unit)
      batches ??= runBatches()
      await unit.heard.promise
      return result.value as T // the work has ended well
    },

    read,
    idle,
  }
}

/** What was rolled back keeps the reason of its own. */
function failAll(batch: readonly Unit[], error: unknown): void {
  for (const unit of batch) unit.failure ??= { error }
}
