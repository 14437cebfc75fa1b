import { beginningOf } from '#contract/cutText.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { NoticeKind, PushedNotice } from '#contract/notices.ts'
import type { Preferences } from '#contract/preferences.ts'
import { conversationStore } from '#server/conversations/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Push, Pushed } from './push.ts'
import { type NoticeRow, noticeStore, type SubscriptionRow, subscriptionStore } from './store.ts'
import type { Views } from './views.ts'

/** Milliseconds after which there is no point in telling it any more. */
const TTL_MS: Record<NoticeKind, number> = { answer: 43_200_000, turn: 600_000, window: 21_600_000 }
/** Milliseconds: a process that is killed while it sends leaves the notice to another one. */
const LEASE_MS = 60_000
/** Times that a notice is tried, where push services do not answer. */
const MAX_ATTEMPTS = 4
const RETRY_DELAYS_MS = [15_000, 60_000, 300_000]
/** Times that a moment may turn out to be later than it was said. */
const MAX_POSTPONED = 50
const BATCH = 16
const MAX_TITLE = 120

/** When a model may be asked: now, never by waiting alone, or from a moment on. */
export type OpensAt = (user_id: number, source: string, model: string) => Promise<number | 'now' | 'never'>

export type DeliveryDependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  log: Log
  push: Push
  views: Views
  opensAt: OpensAt
  preferencesOf(user_id: number): Promise<Preferences>
  configuration(): Configuration
}

/** What becomes of a notice: it is told, not told at all, or looked at again later. */
type Sendable = { content: PushedNotice; topic: string }
type Decision = Sendable | 'dropped' | { postponed_to: number }

/** Sends what is due: each notice by one process, and to each browser once. */
export function openDelivery(dependencies: DeliveryDependencies) {
  const { open, clock, log, push } = dependencies
  const notices = noticeStore(open.database)
  const devices = subscriptionStore(open.database)
  const decide = openDecisions(dependencies)

  async function send(device: SubscriptionRow, notice: NoticeRow, { content, topic }: Sendable) {
    const ttl_ms = notice.due_time + ttlOf(notice) - clock.now()
    const pushed: Pushed = await push(device, content, { ttl_ms, topic }).catch((cause: unknown) => {
      log.warn({ err: cause }, 'a notice could not be made')
      return { is: 'gone' }
    })
    if (pushed.is === 'gone') await devices.remove(device.id)
    if (pushed.is === 'refused') log.warn({ kind: notice.kind }, 'a push service refused a notice')
    return { id: device.id, pushed }
  }

  async function notify(notice: NoticeRow): Promise<void> {
    const decision = await decide(notice)
    if (decision === 'dropped') return void (await notices.remove(notice.id))
    if ('postponed_to' in decision)
      return void (await notices.change(notice.id, { due_time: decision.postponed_to, lease_until: null }))
    const left = (await devices.listOf(notice.user_id)).filter(
      ({ id }) => notice.subscription_ids?.includes(id) ?? true,
    )
    const sent = await Promise.all(left.map(device => send(device, notice, decision)))
    const again = sent.flatMap(({ id, pushed }) => (pushed.is === 'later' ? [{ id, after_ms: pushed.after_ms }] : []))
    const pause = RETRY_DELAYS_MS[notice.attempts - 1]
    if (again.length === 0 || pause === undefined || notice.attempts >= MAX_ATTEMPTS)
      return void (await notices.remove(notice.id))
    const due_time = clock.now() + Math.max(pause, ...again.map(({ after_ms }) => after_ms))
    await notices.change(notice.id, { due_time, lease_until: null, subscription_ids: again.map(({ id }) => id) })
  }

  async function claimAndNotify(id: number): Promise<void> {
    const now = clock.now()
    const notice = await notices.claim(id, now, now + LEASE_MS)
    if (notice === undefined) return
    await notify(notice).catch((cause: unknown) => log.warn({ err: cause, kind: notice.kind }, 'a notice was not sent'))
  }

  /** Sends all that is due. Gives how many there were. */
  return async (): Promise<number> => {
    for (let count = 0; ;) {
      const due = await notices.due(clock.now(), BATCH)
      if (due.length === 0) return count
      await Promise.all(due.map(({ id }) => claimAndNotify(id)))
      count += due.length
      if (due.length < BATCH) return count
    }
  }
}

const ttlOf = ({ kind }: NoticeRow): number => TTL_MS[kind as NoticeKind] // only notices.ts writes it

/** Whether somebody is told now, and what. */
function openDecisions({ open, clock, views, opensAt, preferencesOf, configuration }: DeliveryDependencies) {
  return async (notice: NoticeRow): Promise<Decision> => {
    const { user_id, details } = notice
    const kind = notice.kind as NoticeKind // only notices.ts writes it
    const { notices: choice, language } = await preferencesOf(user_id)
    const isLate = notice.due_time + ttlOf(notice) <= clock.now()
    if (!configuration().portal.browser_notices || !choice[kind] || isLate) return 'dropped'
    const plain = { kind, language, conversation_id: null, title: null, label: null, seconds: null, has_failed: false }
    if ('model' in details) {
      const opens_at = await opensAt(user_id, details.source, details.model)
      if (opens_at === 'now') return { content: { ...plain, label: details.label }, topic: 'window' }
      if (opens_at === 'never' || notice.attempts > MAX_POSTPONED) return 'dropped'
      return { postponed_to: Math.max(opens_at, clock.now() + 1_000) }
    }
    const { conversation_id } = details
    if (views.isInView(user_id, conversation_id)) return 'dropped'
    const conversation = await conversationStore(open.database).find(conversation_id)
    if (conversation === undefined || !conversation.is_valid || conversation.user_id !== user_id) return 'dropped'
    const title = choice.titles && conversation.title !== null ? beginningOf(conversation.title, MAX_TITLE) : null
    return { content: { ...plain, ...details, title }, topic: conversation_id.replaceAll('-', '').slice(0, 32) }
  }
}
