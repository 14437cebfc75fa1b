import type { Outcome } from '#contract/asking.ts'
import type { Source } from '#contract/models.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import { toMessage } from '#server/conversations/history.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import type { Bus } from '#server/foundation/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { thoughtsIdOf } from './answers.ts'
import { readOn } from './chunks.ts'
import { LiveReply } from './liveReply.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import { type AskRow, askStore } from '#server/asks/store.ts'
import { turnOrder } from './turnOrder.ts'

/** Milliseconds between polls, for what the bus has lost. */
const POLL = 1_000

/** A reply, and how to stop following it. */
export type Followed = { reply: LiveReply; leave(): void }

/** Follows asks that another process runs, or that have ended, from what the database has of them. */
export function openElsewhere({ open, bus, log }: { open: OpenDatabase; bus: Bus; log: Log }) {
  const asks = askStore(open.database)

  /** `null` for an ask that is not this person's. `after` is how far the follower has come. */
  return async (user_id: number, ask_id: string, after: number): Promise<Followed | null> => {
    const ask = await asks.find(ask_id)
    if (ask === undefined || ask.user_id !== user_id) return null
    const reply = new LiveReply({ ask_id, conversation_id: ask.conversation_id, question: null })
    let refreshing = Promise.resolve()
    const refresh = () => {
      refreshing = refreshing
        .then(async () => {
          if (!hasEnded(reply)) await bringUp(reply, after)
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

  async function bringUp(reply: LiveReply, after: number): Promise<void> {
    const ask = await asks.find(reply.ask_id)
    if (ask === undefined || ask.ask_state === 'done') return finish(reply, ask, after)
    await readOn(open, reply)
    if (reply.phase.at !== 'queueing') return
    if (ask.ask_state === 'asking') return reply.reach({ at: 'replying' })
    const place = await placeOf(ask)
    if (place !== reply.phase.place) reply.reach({ at: 'queueing', place, estimate_seconds: null })
  }

  async function placeOf(ask: AskRow): Promise<number> {
    const queue = await queueStore(open.database).entries(ask.upstream_id)
    const order = turnOrder(queue.filter(other => other.ask_state === 'queueing'))
    return order.findIndex(other => other.ask_id === ask.ask_id) + 1
  }

  async function finish(reply: LiveReply, ask: AskRow | undefined, after: number): Promise<void> {
    const store = messageStore(open.database)
    for (const { conversation_id, source, id } of ask === undefined
      ? []
      : [
          { ...ask, id: thoughtsIdOf(ask.reply_id) },
          { ...ask, id: ask.reply_id },
        ]) {
      const row = await store.find(conversation_id, id)
      // The follower may have seen text that a crash kept from being written down: the stored message replaces it.
      if (row !== undefined) reply.finishAt(toMessage(row, source as Source), Math.max(reply.n, after) + 1) // only the two sources are ever stored
    }
    const outcome = (ask?.outcome ?? 'interrupted') as Outcome // written by endings.ts
    const key = ask?.failure_key ?? null
    reply.reach({
      at: 'ended',
      outcome,
      charged: ask?.first_token_time != null,
      failure: isRefusal(key) ? { key, values: ask?.failure_values ?? {} } : null,
    })
  }
}
export type Elsewhere = ReturnType<typeof openElsewhere>

const isRefusal = (key: string | null): key is RefusalKey => key !== null && Object.hasOwn(REFUSALS, key)

const hasEnded = (reply: LiveReply): boolean => reply.phase.at === 'ended'
