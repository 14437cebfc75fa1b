import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { create } from 'zustand'
import {
  changeConversations,
  CONVERSATION_ACTIONS,
  CONVERSATION_JOB,
  type ConversationAction,
  ConversationChangeResult,
  type ConversationChange as Request,
  countConversations,
  listDeletions,
  listEveryConversation,
  restoreDeletion,
} from '#contract/conversationAdministration.ts'
import { goOnWithJob, type JobRead, type NamedUser, readJob, stopJob } from '#contract/jobs.ts'
import { jobsKey, useJobs } from '#web/admin/shell/useJobs.ts'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'

/** Milliseconds between two fetches of a running change. */
const REFETCH_DELAY_MS = 400

/**
 * The change that was started last, here or in another tab. Kept outside the page, so that somebody who comes back sees
 * its end.
 */
type Started = { key: string; request: Request | null; person: NamedUser | null }
const useStarted = create<{ started: Started | null; closed: string | null }>(() => ({ started: null, closed: null }))

type Outcome = { kind: 'done' } | { kind: 'already' } | { kind: 'failed'; reason: string }

export type ConversationChange = {
  action: ConversationAction | null
  job: JobRead | undefined
  /** Null while it runs, and when it failed. */
  result: ConversationChangeResult | null
  request: Request | null
  /** To whom conversations were assigned. */
  person: NamedUser | null
  /** By the row ids of conversations. */
  outcomes: ReadonlyMap<number, Outcome>
}

type Options = { onEnd(result: ConversationChangeResult | null): void }

/** A bulk change of conversations: one at a time, as a job of the server. Null when there is none to show. */
export function useConversationChange({ onEnd }: Options) {
  const queries = useQueryClient()
  const { started, closed } = useStarted()
  const going = useJobs()?.find(job => job.name === CONVERSATION_JOB && job.state !== 'idle' && job.key !== closed)
  const key = started?.key ?? going?.key ?? null
  const { data: job } = useQuery({
    queryKey: keyOfJob(key),
    queryFn: ({ signal }) => call(readJob, { params: { name: CONVERSATION_JOB, key: key ?? '' } }, { signal }),
    enabled: key !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'idle' ? false : REFETCH_DELAY_MS),
    meta: { quiet: true },
  })
  const isOver = key !== null && job?.state === 'idle'
  const result = useMemo(
    () => (isOver ? (ConversationChangeResult.safeParse(job?.last_run?.result).data ?? null) : null),
    [isOver, job],
  )

  const end = useEffectEvent(() => {
    // Chosen rows stay in the list and show what became of them: then the list is not fetched again.
    void queries.invalidateQueries({ queryKey: listKey(countConversations) })
    void queries.invalidateQueries({ queryKey: listKey(listDeletions) })
    void queries.invalidateQueries({ queryKey: jobsKey })
    if (started?.request?.ids === undefined)
      void queries.invalidateQueries({ queryKey: listKey(listEveryConversation) })
    onEnd(result)
  })
  useEffect(() => {
    if (isOver) end()
  }, [isOver, key])
  // A change found among the jobs is kept until its end has been seen.
  useEffect(() => {
    if (started === null && going !== undefined)
      useStarted.setState({ started: { key: going.key, request: null, person: null } })
  }, [started, going])

  const change: ConversationChange | null = useMemo(
    () =>
      key === null
        ? null
        : {
            action: actionOf(key),
            job,
            result,
            request: started?.request ?? null,
            person: started?.person ?? null,
            outcomes: outcomesOf(result),
          },
    [key, job, result, started],
  )

  return {
    change,
    isOver,

    async start(request: Request, person: NamedUser | null = null): Promise<void> {
      await begin(async () => ({ key: (await call(changeConversations, { body: request })).key, request, person }))
    },

    async restore(deletion: number): Promise<void> {
      await begin(async () => ({
        key: (await call(restoreDeletion, { params: { id: String(deletion) } })).key,
        request: null,
        person: null,
      }))
    },

    stop(): void {
      if (key !== null) call(stopJob, { params: { name: CONVERSATION_JOB }, query: { key } }).catch(reportFailure)
    },

    /** Does what is left of a change that was stopped or given up. */
    async goOn(): Promise<void> {
      if (key === null) return
      try {
        const read = await call(goOnWithJob, { params: { name: CONVERSATION_JOB }, query: { key } })
        queries.setQueryData(keyOfJob(key), read)
        await queries.invalidateQueries({ queryKey: jobsKey })
      } catch (error) {
        reportFailure(error)
      }
    },

    /** Dismisses the result. */
    close(): void {
      if (key === null) return
      useStarted.setState({ started: null, closed: key })
      void queries.invalidateQueries({ queryKey: listKey(listEveryConversation) })
    },
  }

  async function begin(make: () => Promise<Started>): Promise<void> {
    try {
      useStarted.setState({ started: await make() })
      await queries.invalidateQueries({ queryKey: jobsKey })
    } catch (error) {
      reportFailure(error)
    }
  }
}

const keyOfJob = (key: string | null) => ['admin', readJob.path, key]

const actionOf = (key: string): ConversationAction | null =>
  CONVERSATION_ACTIONS.find(action => key.startsWith(`${action}-`)) ?? null

function outcomesOf(result: ConversationChangeResult | null): ReadonlyMap<number, Outcome> {
  const outcomes = new Map<number, Outcome>()
  for (const id of result?.done_ids ?? []) outcomes.set(id, { kind: 'done' })
  for (const id of result?.already_ids ?? []) outcomes.set(id, { kind: 'already' })
  for (const [reason, ids] of Object.entries(result?.failed_ids ?? {}))
    for (const id of ids) outcomes.set(id, { kind: 'failed', reason })
  return outcomes
}
