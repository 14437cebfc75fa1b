import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import {
  type ConversationSync,
  type ListingEnd,
  readConversationSync,
  SYNC_JOB,
  SYNC_KEY,
  syncConversations,
} from '#contract/conversationSync.ts'
import { stopJob } from '#contract/jobs.ts'
import { useNow } from '#web/foundation/times.ts'
import { translate as t, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { IconAlertTriangle, IconCheck, IconX } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import styles from './sync.module.css'
import type { Sync } from '#web/sources/adminSlots.ts'
import { jobsKey } from '#web/admin/shell/useJobs.ts'
import { listKey } from '#web/admin/table/useList.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { confirm } from '#web/kit/DialogHost.tsx'

/** Milliseconds for which the result of a sync is shown, unless it is dismissed. */
const NEWS = 3_600_000

type SyncStripProps = { sync: Sync; /** Shows what nobody has yet. */ onAssign(): void }

/** The progress of the sync, then its result. */
export function SyncStrip({ sync, onAssign }: SyncStripProps) {
  const now = useNow()
  if (sync.current !== null) return <Running sync={sync} current={sync.current} />
  const { last, isDismissed } = sync
  if (last === null || isDismissed || now.getTime() - Date.parse(last.end_time) > NEWS) return null
  return <Result sync={sync} last={last} onAssign={onAssign} />
}

function Running({ sync, current }: { sync: Sync; current: NonNullable<Sync['current']> }) {
  const t = useTranslate()
  const nameOf = useAccountName()
  const now = useNow()
  const { upstream_id, label, done, total, added, gone } = current
  const left = timeLeft(current, now.getTime())
  const seen = total === null ? t('conv.sync.seen', { done }) : t('conv.sync.seenOf', { done, total })
  const title = upstream_id === null ? t('conv.sync.begins') : t('conv.sync.running', { name: nameOf(label) })
  return (
    <section className={styles.strip} role="status" aria-label={t('conv.sync.progress')} data-testid="sync-running">
      <div className={styles.row}>
        <BreathingDot />
        <b>{sync.state === 'stopping' ? t('table.stopping') : title}</b>
        <span className={styles.numbers}>{t('conv.sync.found', { seen, added, gone })}</span>
        <span className={styles.hint}>
          {left !== null && left > 60_000
            ? t('conv.sync.left', { minutes: Math.ceil(left / 60_000) })
            : t('conv.sync.goesOn')}
        </span>
        {sync.state !== 'stopping' && (
          <Button variant="subtle" color="gray" size="xs" data-testid="stop-sync" onClick={sync.stop}>
            {t('conv.sync.stop')}
          </Button>
        )}
      </div>
      <progress
        aria-label={t('conv.sync.progress')}
        max={total ?? undefined}
        value={total === null ? undefined : done}
      />
    </section>
  )
}

type ResultProps = SyncStripProps & { last: NonNullable<Sync['last']> }

function Result({ sync, last, onAssign }: ResultProps) {
  const t = useTranslate()
  const kind = kindOf(last)
  const doubts = partialListings(last.accounts)
  const sum = sumOf(last.accounts)
  const isCalm = kind === 'done' && doubts.length === 0
  return (
    <section
      className={styles.strip}
      data-tone={kind === 'stopped' ? 'tint' : isCalm ? 'green' : 'amber'}
      role="status"
      aria-label={t('conv.sync.result')}
      data-testid="sync-result"
    >
      <div className={styles.row}>
        {isCalm ? <IconCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
        <b>{t(`conv.sync.${kind}`)}</b>
        <span className={styles.numbers}>{last.accounts.length > 0 && t('conv.sync.sum', sum)}</span>
        {sum.added > 0 && (
          <Button variant="subtle" color="gray" size="xs" data-testid="assign-found" onClick={onAssign}>
            {t('conv.sync.assign')}
          </Button>
        )}
        {kind !== 'done' && sync.accounts > 0 && (
          <Button variant="subtle" color="gray" size="xs" onClick={sync.start}>
            {t('conv.sync.again')}
          </Button>
        )}
        <SmallIconButton className={styles.close} label={t('kit.close')} onClick={sync.dismiss}>
          <IconX size={16} aria-hidden />
        </SmallIconButton>
      </div>
      <Failure failure={last.failure} />
      {doubts.map(account => (
        <PartialNote key={account.upstream_id} account={account} />
      ))}
    </section>
  )
}

function Failure({ failure }: { failure: NonNullable<Sync['last']>['failure'] }) {
  const say = useTranslateMessage()
  if (failure === null) return null
  return <p>{failure.message === null ? failure.text : say(failure.message, failure.values)}</p>
}

type PartialNoteProps = { account: { label: string | null; seen: number; listing: PartialEnd; message: string | null } }

/** Why the listing of an account does not show which conversations are gone. */
function PartialNote({ account: { label, seen, listing, message } }: PartialNoteProps): ReactNode {
  const t = useTranslate()
  const say = useTranslateMessage()
  const name = useAccountName()(label)
  const why =
    listing === 'failed'
      ? t('conv.sync.why.failed', { seen, reason: message === null ? '' : say(message) })
      : t(`conv.sync.why.${listing}`)
  return <p>{t('conv.sync.of', { name, why })}</p>
}

function useAccountName(): (label: string | null) => string {
  const t = useTranslate()
  return label => (label === null ? t('conv.upstreamGone') : label === '' ? t('sources.openai_web') : label)
}

type SyncResult = NonNullable<ConversationSync['last']>
type Account = SyncResult['accounts'][number]

/** What all accounts add up to. */
export function sumOf(accounts: readonly Account[]) {
  const sum = (count: 'seen' | 'added' | 'gone') => accounts.reduce((all, each) => all + each[count], 0)
  return { seen: sum('seen'), added: sum('added'), gone: sum('gone') }
}

/** Ends of a listing that do not show which conversations are gone, each with a text of its own. */
type PartialEnd = Exclude<ListingEnd, 'whole' | 'stopped'>

/** The accounts whose listing ended so. */
export const partialListings = (accounts: readonly Account[]): (Account & { listing: PartialEnd })[] =>
  accounts.flatMap(({ listing, ...account }) =>
    listing === 'whole' || listing === 'stopped' ? [] : [{ ...account, listing }],
  )

/** `broke`: the run itself failed, or an account could not be read to its end. */
export function kindOf({ outcome, accounts }: SyncResult): 'done' | 'broke' | 'stopped' {
  if (outcome === 'stopped') return 'stopped'
  return outcome === 'failed' || accounts.some(({ listing }) => listing === 'failed') ? 'broke' : 'done'
}

/** Milliseconds until a sync ends; null when that cannot be estimated. */
export function timeLeft(current: { start_time: string | null; done: number; total: number | null }, now: number) {
  const { start_time, done, total } = current
  if (start_time === null || total === null || done === 0 || done >= total) return null
  return ((now - Date.parse(start_time)) / done) * (total - done)
}

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
