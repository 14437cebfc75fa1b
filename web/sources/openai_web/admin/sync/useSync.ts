import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import {
  type ConversationSync,
  readConversationSync,
  SYNC_JOB,
  SYNC_KEY,
  syncConversations,
} from '#contract/conversationSync.ts'
import { stopJob } from '#contract/jobs.ts'
import { jobsKey } from '#web/admin/shell/useJobs.ts'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import type { Sync } from '#web/sources/adminSlots.ts'

/** Milliseconds between two fetches, while a sync runs and while none does. */
const BUSY = 1_000
const CALM = 30_000

/** The end time of the sync whose result was dismissed; forgotten with the page. */
const useDismissed = create<{ end_time: string | null }>(() => ({ end_time: null }))

/** The state of the sync and its actions; undefined while loading. `onEnd` is called when a sync has ended. */
export function useSync(onEnd: () => void): Sync | undefined {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: listKey(readConversationSync),
    queryFn: ({ signal }) => call(readConversationSync, {}, { signal }),
    refetchInterval: query => (query.state.data?.current == null ? CALM : BUSY),
    meta: { quiet: true },
  })
  const dismissed = useDismissed(({ end_time }) => end_time)
  useEnd(data, onEnd)
  if (data === undefined) return undefined

  const refresh = () => {
    void client.invalidateQueries({ queryKey: jobsKey })
    return client.invalidateQueries({ queryKey: listKey(readConversationSync) })
  }
  const run = (work: () => Promise<unknown>) => void work().then(refresh, reportFailure)
  return {
    ...data,
    isDismissed: data.last !== null && data.last.end_time === dismissed,
    dismiss: () => useDismissed.setState({ end_time: data.last?.end_time ?? null }),
    start: () => run(() => call(syncConversations, { query: { wait: 'false' } })),
    stop: () => run(() => call(stopJob, { params: { name: SYNC_JOB }, query: { key: SYNC_KEY } })),
  }
}

/** Calls `onEnd` for every sync that ends while the page is open, even one so short that it was never seen running. */
function useEnd(sync: ConversationSync | undefined, onEnd: () => void): void {
  const known = useRef<string | null | undefined>(undefined)
  const latest = sync === undefined ? undefined : (sync.last?.end_time ?? null)
  useEffect(() => {
    if (known.current !== undefined && latest !== known.current) onEnd()
    known.current = latest
  }, [latest, onEnd])
}

export function confirmSync(): Promise<boolean> {
  return confirm({ title: t('conv.sync.title'), text: t('conv.sync.text'), verb: t('conv.sync.verb') })
}
