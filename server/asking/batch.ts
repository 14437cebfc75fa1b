import type { SendWithCommit, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'

/**
 * How many requests share a transaction: on SQLite about what one commit takes anyway, on PostgreSQL what one round
 * trip may well carry.
 */
const MAX_IN_BATCH = 32

type Entry<Request, Result> = { request: Request } & PromiseWithResolvers<Result>

type Dependencies<Request, Result> = {
  open: Pick<OpenDatabase, 'transaction'>
  /** Whether a request may share a transaction with those. */
  mayJoin(request: Request, batch: readonly Request[]): boolean
  /**
   * The work of one transaction; gives the results in the order of the batch. A request that is refused is rejected in
   * its result, and what was sent with the commit is kept; an error that is thrown rolls everything back.
   */
  work(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    batch: readonly Request[],
  ): Promise<PromiseSettledResult<Result>[]>
}

/**
 * Batches: requests that come while a batch is being worked on form the next one, in a transaction they share. Nobody
 * waits for others to come. After an unexpected error each request of the batch is tried in a transaction of its own,
 * so that it fails nobody but its cause.
 */
export function openBatches<Request, Result>({ open, mayJoin, work }: Dependencies<Request, Result>) {
  const waiting: Entry<Request, Result>[] = []
  let isRunning = false

  /** In the order in which they came; whatever may not join waits for the next batch. */
  function nextBatch(): Entry<Request, Result>[] {
    const batch: Entry<Request, Result>[] = []
    const requests: Request[] = []
    for (const entry of waiting.splice(0)) {
      if (batch.length < MAX_IN_BATCH && mayJoin(entry.request, requests)) {
        batch.push(entry)
        requests.push(entry.request)
      } else waiting.push(entry)
    }
    return batch
  }

  /** Resolves when the next batch may start: when all queries of this one have been sent, before it is on the disk. */
  async function runBatch(take: () => Entry<Request, Result>[]): Promise<void> {
    const sent = Promise.withResolvers<void>()
    let batch: Entry<Request, Result>[] | null = null
    const done = open
      .transaction(async (trx, sendWithCommit) => {
        batch ??= take() // the work may be run again
        const requests = batch.map(({ request }) => request)
        let hasWritten = false
        const results = await work(
          trx,
          (...writes) => {
            hasWritten = true
            sendWithCommit(...writes)
          },
          requests,
        )
        sent.resolve()
        if (!hasWritten && results.every(({ status }) => status === 'rejected')) throw new AllRejected(results)
        return results
      })
      .then(
        results => settle(batch ?? [], results),
        (error: unknown) => {
          if (error instanceof AllRejected) return settle(batch ?? [], error.results)
          if (batch !== null && batch.length > 1) for (const entry of batch) void runBatch(() => [entry])
          // Where the transaction did not even start, nothing was taken yet.
          else for (const { reject } of batch ?? take()) reject(error)
        },
      )
    await Promise.race([sent.promise, done])
  }

  async function runBatches(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) await runBatch(nextBatch)
    isRunning = false
  }

  return (request: Request): Promise<Result> => {
    const entry = { request, ...Promise.withResolvers<Result>() }
    waiting.push(entry)
    if (!isRunning) void runBatches()
    return entry.promise
  }
}

/**
 * Rolls back what the transaction began with (tickets of the queues), so that refusals alone cost no commit and no wait
 * for the disk, unless something is to be kept of them.
 */
class AllRejected extends Error {
  readonly results: readonly PromiseSettledResult<never>[]
  constructor(results: readonly PromiseSettledResult<unknown>[]) {
    super('every request of the batch was rejected')
    this.results = results.filter(result => result.status === 'rejected')
  }
}

function settle<Request, Result>(
  batch: readonly Entry<Request, Result>[],
  results: readonly PromiseSettledResult<Result>[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index]
    if (result?.status === 'fulfilled') resolve(result.value)
    else reject(result?.reason)
  }
}
