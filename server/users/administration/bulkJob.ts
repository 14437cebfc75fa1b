import * as z from 'zod/mini'
import { BulkChange, BulkReason, type BulkResult, type BulkRow, USER_JOB } from '#contract/bulk.ts'
import { UserFilter } from '#contract/userAdministration.ts'
import { requireSuperuser } from '#server/users/directory.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { EndedEarly, type Job } from '#server/foundation/jobs/job.ts'
import type { Json, Progress } from '#server/foundation/jobs/stored.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ChangeOfPeople } from './changeOfPeople.ts'
import type { UserList } from './list.ts'
import { counted, EMPTY, resultOfTally, type Tally } from './tally.ts'

/** With a filter: the people who still match when it comes to them, up to the highest id that matched at the beginning. */
const Input = z.object({
  which: z.union([z.object({ ids: z.array(z.int()) }), z.object({ filter: UserFilter, up_to: z.int() })]),
  change: BulkChange,
  by: z.int(),
})
export type BulkInput = z.infer<typeof Input>

/** The fields that hold people's ids, in the input and in the rows of progress and result. */
export const PEOPLE_OF_BULK = ['by', 'ids', 'id']

const Cursor: z.ZodMiniType<Tally> = z.object({
  after: z.int(),
  changed: z.int(),
  unchanged: z.partialRecord(BulkReason, z.int()),
  rows: z.array(z.object({ id: z.int(), username: z.string(), nickname: z.string(), reason: z.nullable(BulkReason) })),
})

type Dependencies = { open: Pick<OpenDatabase, 'database'>; list: UserList; people: ChangeOfPeople }

/** Changes people in the order of their ids. Each change and the job's progress share a transaction, so that nobody is changed twice. */
export function bulkJob({ open, list, people }: Dependencies): Job<BulkInput> {
  async function idsAfter({ which }: BulkInput, after: number): Promise<number[]> {
    if ('ids' in which) return which.ids.filter(id => id > after)
    return (await list.idsOf(which.filter)).filter(id => id > after && id <= which.up_to)
  }

  async function stepFor(id: number, { change, by }: BulkInput): Promise<(trx: Transaction) => Promise<BulkRow>> {
    if ('sources' in change) return trx => people.adjustIn(trx, id, change)
    // In a transaction of its own, because it ends sessions. Activating or deactivating somebody twice does no harm.
    const row = await people.change(id, change, by)
    return () => Promise.resolve(row)
  }

  return {
    name: USER_JOB,
    input: value => Input.parse(value),
    async goOn({ input, progress }, by) {
      const left = (await idsAfter(input, tallyOf(progress).after)).length
      if (left === 0) throw new Refusal('nothingLeftToDo')
      return {
        input: { ...input, by },
        progress: progress === null ? null : { ...progress, total: progress.done + left },
      }
    },
    async run({ input, progress, signal, saveWith }) {
      let tally = tallyOf(progress)
      let done = progress?.done ?? 0
      const ids = await idsAfter(input, tally.after)
      const total = progress?.total ?? ids.length
      for (const id of ids) {
        if (signal.aborted) throw new EndedEarly(kept(resultOfTally(tally)))
        await requireSuperuser(open.database, input.by)
        const step = await stepFor(id, input)
        const before = tally
        done += 1
        await saveWith(async trx => {
          tally = counted(before, await step(trx)) // PostgreSQL may run this again
          return { done, total, cursor: kept(tally) }
        })
      }
      return kept(resultOfTally(tally))
    },
  }
}

const tallyOf = (progress: Progress | null): Tally => (progress === null ? EMPTY : Cursor.parse(progress.cursor))

/** As a job stores it. */
export const kept = (value: BulkInput | Tally | BulkResult): Json => value as Json // they are plain JSON
