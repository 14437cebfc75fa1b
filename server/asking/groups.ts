import type { SendWithCommit, TransactionOptions, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'

/** How many share a transaction: on SQLite about what a commit takes in anyway, on PostgreSQL what one journey may well carry. */
const MOST = 16

type Waiting<Given, Result> = { given: Given; heard: PromiseWithResolvers<Result> }

type Needs<Given, Result> = {
  open: Pick<OpenDatabase, 'transaction'>
  options?: TransactionOptions
  /** Whether this one may be in a transaction with those. */
  mayJoin(given: Given, group: readonly Given[]): boolean
  /**
   * The work of a transaction; what it gives is in the order of the group. Whoever is refused before anything was written for them is
   * rejected there; what it throws takes back all.
   */
  work(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    group: readonly Given[],
  ): Promise<PromiseSettledResult<Result>[]>
}

/**
 * Those who come while others are being let in go in together, by one transaction. Nobody waits for others to come: who comes alone goes
 * in alone. A failure that was not foreseen is nobody's but theirs: the group is taken apart, and each of it goes in alone.
 */
export function inGroups<Given, Result>({
  open,
  options,
  mayJoin,
  work,
}: Needs<Given, Result>): (given: Given) => Promise<Result> {
  const waiting: Waiting<Given, Result>[] = []
  let areLetIn = false

  /** In the order in which they came; who may not be with them waits for the next one. */
  function nextGroup(): Waiting<Given, Result>[] {
    const group: Waiting<Given, Result>[] = []
    const later = waiting.splice(0).filter(each => {
      const joins =
        group.length < MOST &&
        mayJoin(
          each.given,
          group.map(({ given }) => given),
        )
      if (joins) group.push(each)
      return !joins
    })
    waiting.push(...later)
    return group
  }

  /** Resolves when the next group may begin: not when this one is on the disk, but when all of its work is on its way. */
  async function letIn(take: () => Waiting<Given, Result>[]): Promise<void> {
    const worked = Promise.withResolvers<void>()
    let group: Waiting<Given, Result>[] | null = null
    const done = open
      .transaction(async (trx, sendWithCommit) => {
        group ??= take() // the work may be run again
        const results = await work(
          trx,
          sendWithCommit,
          group.map(({ given }) => given),
        )
        worked.resolve()
        if (results.every(({ status }) => status === 'rejected')) throw new NobodyLetIn(results)
        return results
      }, options)
      .then(
        results => tell(group ?? [], results),
        (error: unknown) => {
          if (error instanceof NobodyLetIn) return tell(group ?? [], error.results)
          // Where nothing was begun it was nobody's fault.
          if (group !== null && group.length > 1) for (const each of group) void letIn(() => [each])
          else for (const { heard } of group ?? take()) heard.reject(error)
        },
      )
    await Promise.race([worked.promise, done])
  }

  async function letAllIn(): Promise<void> {
    areLetIn = true
    while (waiting.length > 0) await letIn(nextGroup)
    areLetIn = false
  }

  return given => {
    const heard = Promise.withResolvers<Result>()
    waiting.push({ given, heard })
    if (!areLetIn) void letAllIn()
    return heard.promise
  }
}

/** Takes back what the transaction began with (tickets of the queue), so that refusals cost no commit and no wait for the disk. */
class NobodyLetIn extends Error {
  readonly results: readonly PromiseRejectedResult[]
  constructor(results: readonly PromiseSettledResult<unknown>[]) {
    super('nobody was let in')
    this.results = results.filter(result => result.status === 'rejected')
  }
}

function tell<Given, Result>(
  group: readonly Waiting<Given, Result>[],
  results: readonly PromiseSettledResult<Result>[],
): void {
  for (const [index, { heard }] of group.entries()) {
    const result = results[index]
    if (result?.status === 'fulfilled') heard.resolve(result.value)
    else heard.reject(result?.reason)
  }
}
