import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { readOn } from './chunks.ts'
import { type AskEnd, LiveReply } from './liveReply.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { type AskRow, askStore } from '#server/asks/store.ts'
import { storedEnd } from './completion.ts'
import { turnOrder } from './lockedQueues.ts'

/** Milliseconds between polls, which find what the bus has lost. */
const POLL = 1_000

/** A reply, and how to stop following it. */
export type Followed = { reply: LiveReply; leave(): void }

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  log: Log
  /** When it will be quiet before then, as usual; null where nobody can tell. */
  likelyQuiet(source: Source, until: number): Promise<number | null>
}

/** Follows asks that another process runs, or that have ended, by what the database has of them. */
export function openRemoteAsks({ open, bus, log, likelyQuiet }: Dependencies) {
  const asks = askStore(open.database)

  /** `null` for an ask that is not this person's. */
  return async (user_id: number, ask_id: string): Promise<Followed | null> => {
    const ask = await asks.find(ask_id)
    if (ask === undefined || ask.user_id !== user_id) return null
    const source = ask.source as Source // only admission writes it
    const reply = new LiveReply({ ...ask, source, question: await questionOf(ask) })
    let refreshing = Promise.resolve()
    const refresh = () => {
      refreshing = refreshing
        .then(async () => {
          if (!hasEnded(reply)) await catchUp(reply)
          if (hasEnded(reply)) leave()
        })
        .catch((error: unknown) => log.warn({ err: error, ask_id }, 'an ask could not be followed'))
    }
    const unsubscribe = bus.subscribe('ask', body => {
      if (body === ask_id) refresh()
    })
    const poll = setInterval(refresh, POLL)
    const leave = () => {
      unsubscribe()
      clearInterval(poll)
    }
    refresh()
    await refreshing
    return { reply, leave }
  }

  async function catchUp(reply: LiveReply): Promise<void> {
    const ask = await asks.find(reply.ask_id)
    if (ask === undefined || ask.ask_state === 'done')
      return reply.reach({ at: 'ended', ...((await storedEnd(open.database, ask)) ?? GONE) })
    await readOn(open, reply)
    if (reply.phase.at !== 'queueing') return
    if (ask.ask_state === 'quiet') return waitForQuiet(reply, ask)
    if (ask.ask_state === 'asking') return reply.reach({ at: 'replying' })
    const position = await positionOf(ask)
    if (position !== reply.phase.place || reply.phase.quiet !== undefined)
      reply.reach({ at: 'queueing', place: position, estimate_seconds: null, cooling_until: null })
  }

  /** Everybody who waits for their turn is before it. */
  async function waitForQuiet(reply: LiveReply, ask: AskRow): Promise<void> {
    const queue = await queueStore(open.database).entries(ask.upstream_id)
    const position = queue.filter(other => other.ask_state === 'queueing').length + 1
    const { phase } = reply
    if (phase.at === 'queueing' && phase.quiet !== undefined && phase.place === position) return
    const until = ask.quiet_until ?? 0
    const quiet = { until, likely_at: await likelyQuiet(ask.source as Source, until) }
    reply.reach({ at: 'queueing', place: position, estimate_seconds: null, cooling_until: null, quiet })
  }

  /** The question of an ask that waits, for whoever sent it and has not heard its id. */
  async function questionOf(ask: AskRow): Promise<Message | null> {
    const { conversation_id, question_id, ask_state, source } = ask
    if (conversation_id === null || ask_state !== 'quiet') return null
    const row = await messageStore(open.database).find(conversation_id, question_id)
    return row?.role === 'user' ? toMessage(row, source as Source) : null
  }

  async function positionOf(ask: AskRow): Promise<number> {
    const queue = await queueStore(open.database).entries(ask.upstream_id)
    const order = turnOrder(queue.filter(other => other.ask_state === 'queueing'))
    return order.findIndex(other => other.ask_id === ask.ask_id) + 1
  }
}
export type RemoteAsks = ReturnType<typeof openRemoteAsks>

/** The row is gone, as when the account was removed. */
const GONE: AskEnd = { outcome: 'interrupted', charged: false, failure: null, stored: null }

const hasEnded = (reply: LiveReply): boolean => reply.phase.at === 'ended'
