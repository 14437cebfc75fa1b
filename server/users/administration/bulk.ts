import {
  type BulkChange,
  type BulkResult,
  type BulkRow,
  MAX_AT_ONCE,
  type Selection,
  USER_JOB,
} from '#contract/bulk.ts'
import type { User } from '#server/users/user.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { kept, resultOf } from './bulkJob.ts'
import type { ChangeOfPeople } from './changeOfPeople.ts'
import type { UserList } from './list.ts'

type Dependencies = { list: UserList; people: ChangeOfPeople; jobs: Jobs }
type Asked = { selection: Selection; change: BulkChange; dry_run: boolean }

/** Changes people in bulk, or previews the change. Many are changed by a job. */
export function bulkChanges({ list, people, jobs }: Dependencies) {
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
    if (dry_run) return { ...resultOf(await people.preview(ids, change, by.id)), job: null }
    if (ids.length === 0) throw new Refusal('noUserSelected')
    requireAsFound(selection, ids.length)
    if (ids.length > MAX_AT_ONCE)
      return { ...resultOf(await people.preview(ids, change, by.id)), job: await startJob(asked, ids, by) }
    const rows: BulkRow[] = []
    for (const id of ids) rows.push(await people.change(id, change, by.id))
    return { ...resultOf(rows), job: null }
  }
}

/** Refuses when the filter finds another number of people than the administrator saw. */
function requireAsFound(selection: Selection, found: number): void {
  if (!('filter' in selection) || selection.found === undefined || selection.found === found) return
  const detail = [{ loc: ['body', 'selection', 'found'], msg: String(found), type: 'changed_meanwhile' }]
  throw new Refusal('changedMeanwhile', {}, { detail })
}
