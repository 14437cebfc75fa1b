import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import {
  type BulkChange,
  type BulkReason,
  BulkResult,
  changeUsers,
  type Selection as Target,
  USER_JOB,
} from '#contract/bulk.ts'
import { goOnWithJob, type JobRead, type JobRun, readJob, stopJob } from '#contract/jobs.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useJobs } from '../../shell/useJobs.ts'
import { listKey } from '../../table/useList.ts'
import { type Selection, useSelection } from '../../table/DataTable.tsx'
import { filterOf, type UserList } from '../state/useUsers.ts'

/** The outcomes of the last change by people's ids; null means changed. */
export type Outcomes = ReadonlyMap<number, BulkReason | null>

/** Milliseconds between two fetches of the job. */
const JOB_EVERY = 1000
const NONE: Outcomes = new Map()

/** `change`: null when it was started elsewhere. `unfinished`: the run that was stopped or given up and may go on. */
type Done = { change: BulkChange | null; result: BulkResult; ids: readonly number[]; unfinished: Unfinished | null }
type Running = { key: string; change: BulkChange | null }
type Unfinished = { key: string; run: JobRun }

export type Bulk = {
  selection: Selection
  /** Whether all people who match are chosen, on all pages. */
  isAll: boolean
  selectAll(): void
  /** How many are chosen. */
  count: number
  /** The ticked people, or all who match. */
  target: Target
  outcomes: Outcomes
  done: Done | null
  job: JobRead | null
  /** Makes the change. True when it is done or a job does it. */
  run(change: BulkChange, target?: Target): Promise<boolean>
  stop(): void
  /** Does what is left of a change that was stopped or given up. */
  goOn(): Promise<void>
  clear(): void
}

export function useBulk(list: UserList): Bulk {
  const client = useQueryClient()
  const selection = useSelection()
  const filter = filterOf(list.address.query)
  const found = JSON.stringify(filter)
  const [allOf, setAllOf] = useState<string | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const [running, setRunning] = useState<Running | null>(null)
  const [ended, setEnded] = useState<string | null>(null)
  // Another filter matches other people: they are not chosen.
  const isAll = allOf === found
  const going = useJobs()?.find(({ name, state, key }) => name === USER_JOB && state !== 'idle' && key !== ended)
  // One that another tab or administrator has started is shown as well.
  if (running === null && done === null && going !== undefined) setRunning({ key: going.key, change: null })
  const finish = (change: BulkChange | null, result: BulkResult, unfinished: Done['unfinished'] = null) => {
    setRunning(null)
    const ids = result.rows.filter(({ reason }) => reason === null).map(({ id }) => id)
    setDone({ change, result, ids, unfinished })
    setAllOf(null)
    // People who were not changed stay chosen, to see who they are and try again.
    const kept = new Set(result.rows.filter(({ reason }) => reason !== null).map(({ id }) => String(id)))
    selection.select(
      [...selection.keys].filter(key => !kept.has(key)),
      false,
    )
    void client.invalidateQueries({ queryKey: listKey(listUserPage) })
    void client.invalidateQueries({ queryKey: ['admin', 'user'] })
  }
  const job = useRunningJob(running?.key ?? null, (result, run) => {
    if (running === null) return
    setEnded(running.key)
    finish(running.change, result, run && { key: running.key, run })
  })
  const target: Target = isAll ? { filter, found: list.total } : { ids: [...selection.keys].map(Number) }

  return {
    selection,
    isAll,
    selectAll: () => setAllOf(found),
    count: isAll ? list.total : selection.keys.size,
    target,
    outcomes: done === null ? NONE : new Map(done.result.rows.map(({ id, reason }) => [id, reason])),
    done,
    job,
    run: async (change, who = target) => {
      try {
        const { job: key, ...result } = await call(changeUsers, { body: { selection: who, change } })
        if (key === null) finish(change, result)
        else setRunning({ key, change })
        return true
      } catch (error) {
        reportFailure(error)
        return false
      }
    },
    stop: () => {
      if (running === null) return
      call(stopJob, { params: { name: USER_JOB }, query: { key: running.key } })
        .then(() => client.invalidateQueries({ queryKey: jobKey(running.key) }))
        .catch(reportFailure)
    },
    goOn: async () => {
      if (done === null || done.unfinished === null) return
      const { key } = done.unfinished
      try {
        const read = await call(goOnWithJob, { params: { name: USER_JOB }, query: { key } })
        client.setQueryData(jobKey(key), read)
        setRunning({ key, change: done.change })
        setDone(null)
      } catch (error) {
        reportFailure(error)
      }
    },
    clear: () => {
      setDone(null)
      setAllOf(null)
      selection.clear()
    },
  }
}

const jobKey = (key: string | null) => ['admin', 'job', USER_JOB, key]

/** Polls the job until it has ended, and passes on its result. */
function useRunningJob(
  key: string | null,
  onEnd: (result: BulkResult, unfinished: JobRun | null) => void,
): JobRead | null {
  const { data } = useQuery({
    queryKey: jobKey(key),
    queryFn: ({ signal }) => call(readJob, { params: { name: USER_JOB, key: key ?? '' } }, { signal }),
    enabled: key !== null,
    refetchInterval: JOB_EVERY,
  })
  const ended =
    key !== null && data !== undefined && data.last_run !== null && data.state === 'idle' ? data.last_run : null
  const mayGoOn = data?.may_go_on === true
  const notify = useEffectEvent(onEnd)
  // Before it is painted: a job that has ended is neither running nor still to begin.
  useLayoutEffect(() => {
    if (ended === null) return
    const result = BulkResult.safeParse(ended.result)
    const counts = result.success ? result.data : { total: 0, changed: ended.done ?? 0, unchanged: {}, rows: [] }
    // When it is stopped, its result has only those whom it came to.
    const all = { ...counts, total: ended.total ?? counts.total }
    notify(all, mayGoOn ? ended : null)
  }, [ended, mayGoOn])
  return key === null ? null : (data ?? null)
}
