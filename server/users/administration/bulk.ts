import * as z from 'zod/mini'
import {
  BulkChange,
  BulkReason,
  type BulkResult,
  type BulkRow,
  USER_JOB,
  MAX_ROWS,
  MAX_AT_ONCE,
  type Selection,
} from '#contract/bulk.ts'
import { UserFilter } from '#contract/userAdministration.ts'
import { requireSuperuser } from '#server/users/directory.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { EndedEarly, type Job } from '#server/foundation/jobs/job.ts'
import type { Json, Progress } from '#server/foundation/database/schema/portal.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { User } from '#server/users/user.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { UserChanges } from './userChanges.ts'
import type { UserList } from './list.ts'

/**
 * With a filter: the people who still match when it comes to them, up to the highest id that matched at the beginning.
 */
const Input = z.object({
  which: z.union([z.object({ ids: z.array(z.int()) }), z.object({ filter: UserFilter, up_to: z.int() })]),
  change: BulkChange,
  by: z.int(),
})
export type BulkInput = z.infer<typeof Input>

/** The fields that hold people's ids, in the input and in the rows of progress and result. */
export const USER_FIELDS_OF_BULK = ['by', 'ids', 'id']

const Cursor: z.ZodMiniType<Tally> = z.object({
  after: z.int(),
  changed: z.int(),
  unchanged: z.partialRecord(BulkReason, z.int()),
  rows: z.array(z.object({ id: z.int(), username: z.string(), nickname: z.string(), reason: z.nullable(BulkReason) })),
})

type Dependencies = { open: Pick<OpenDatabase, 'database'>; list: UserList; userChanges: UserChanges; jobs: Jobs }

/**
 * Changes people in the order of their ids. Each change and the job's progress share a transaction, so that nobody is
 * changed twice.
 */
export function bulkJob({ open, list, userChanges }: Omit<Dependencies, 'jobs'>): Job<BulkInput> {
  async function idsAfter({ which }: BulkInput, after: number): Promise<number[]> {
    if ('ids' in which) return which.ids.filter(id => id > after)
    return (await list.idsOf(which.filter)).filter(id => id > after && id <= which.up_to)
  }

  async function stepFor(id: number, { change, by }: BulkInput): Promise<(trx: Transaction) => Promise<BulkRow>> {
    if ('sources' in change || change.action === 'plan') return trx => userChanges.adjustIn(trx, id, change)
    // In a transaction of its own, because it ends sessions. Activating or deactivating somebody twice does no harm.
    const row = await userChanges.change(id, change, by)
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
const kept = (value: BulkInput | Tally | BulkResult): Json => value as Json // they are plain JSON

/** The result of a bulk change; people who were not changed come first. */
function resultOf(rows: readonly BulkRow[]): BulkResult {
  const unchanged: BulkResult['unchanged'] = {}
  for (const { reason } of rows) if (reason !== null) unchanged[reason] = (unchanged[reason] ?? 0) + 1
  const ofUnchanged = rows.filter(({ reason }) => reason !== null)
  const ofChanged = rows.filter(({ reason }) => reason === null)
  return {
    total: rows.length,
    changed: ofChanged.length,
    unchanged,
    rows: [...ofUnchanged, ...ofChanged].slice(0, MAX_ROWS),
  }
}

/** The progress of a bulk job, from which it continues: `after` is the id of the last person it dealt with. */
type Tally = {
  after: number
  changed: number
  unchanged: Partial<Record<BulkReason, number>>
  /** People who were not changed, as many as a job may store. */
  rows: BulkRow[]
}

const EMPTY: Tally = { after: 0, changed: 0, unchanged: {}, rows: [] }

/** Characters of JSON; a job may store 10,000 in all. */
const MAX_KEPT = 8_000

/** A tally with one more person. */
function counted(tally: Tally, row: BulkRow): Tally {
  const { id, reason } = row
  if (reason === null) return { ...tally, after: id, changed: tally.changed + 1 }
  const rows = [...tally.rows, row]
  return {
    ...tally,
    after: id,
    unchanged: { ...tally.unchanged, [reason]: (tally.unchanged[reason] ?? 0) + 1 },
    rows: JSON.stringify(rows).length <= MAX_KEPT ? rows : tally.rows,
  }
}

function resultOfTally({ changed, unchanged, rows }: Tally): BulkResult {
  const total = changed + Object.values(unchanged).reduce((sum, count) => sum + count, 0)
  return { total, changed, unchanged, rows }
}

type Asked = { selection: Selection; change: BulkChange; dry_run: boolean }

/** Changes people in bulk, or previews the change. Many are changed by a job. */
export function bulkChanges({ list, userChanges, jobs }: Omit<Dependencies, 'open'>) {
  async function idsOf(selection: Selection): Promise<number[]> {
    if ('ids' in selection) return [...new Set(selection.ids)].toSorted((one, other) => one - other)
    return list.idsOf(selection.filter)
  }

  async function startJob({ selection, change }: Asked, ids: readonly number[], by: User): Promise<string> {
    const key = newId()
    const which = 'ids' in selection ? { ids: [...ids] } : { filter: selection.filter, up_to: ids.at(-1) ?? 0 }
    await jobs.start(USER_JOB, { key, input: kept({ which, change, by: by.id }), started_by: by.id })
    return key
  }

  return async (asked: Asked, by: User): Promise<BulkResult & { job: string | null }> => {
    const { selection, change, dry_run } = asked
    const ids = await idsOf(selection)
    if (dry_run) return { ...resultOf(await userChanges.preview(ids, change, by.id)), job: null }
    if (ids.length === 0) throw new Refusal('noUserSelected')
    requireAsFound(selection, ids.length)
    if (ids.length > MAX_AT_ONCE)
      return { ...resultOf(await userChanges.preview(ids, change, by.id)), job: await startJob(asked, ids, by) }
    const rows: BulkRow[] = []
    for (const id of ids) rows.push(await userChanges.change(id, change, by.id))
    return { ...resultOf(rows), job: null }
  }
}

/** Refuses when the filter finds another number of people than the administrator saw. */
function requireAsFound(selection: Selection, found: number): void {
  if (!('filter' in selection) || selection.found === undefined || selection.found === found) return
  const detail = [{ loc: ['body', 'selection', 'found'], msg: String(found), type: 'changed_meanwhile' }]
  throw new Refusal('changedMeanwhile', {}, { detail })
}
