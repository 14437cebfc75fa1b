import type { DeltaEvent, Outcome } from '#contract/asking.ts'
import { type Message, textOf } from '#contract/messages.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import { atEndOfTurn } from '#server/foundation/turns.ts'
import type { ProviderEvent } from '#server/providers/provider.ts'

/** A numbered event: what a reply consists of (contract/asking.ts). */
export type ReplyEvent = Extract<DeltaEvent, { n: number }>

export type Failure = { key: RefusalKey; values: RefusalValues }

/** How far an ask has come. */
export type Phase =
  | { at: 'queueing'; place: number; estimate_seconds: number | null }
  | { at: 'replying' }
  | { at: 'ended'; outcome: Outcome; charged: boolean; failure: Failure | null }

/** A message and what has been added to it since it was told as a whole. */
type Part = { message: Message; whole_n: number; tail: string }

/** An answer as it grows. It knows nobody: whoever follows looks again after `changed`. */
export type LiveReply = ReturnType<typeof liveReply>

export function liveReply(ids: { ask_id: string; conversation_id: string; question: Message | null }) {
  const parts: Part[] = []
  let latest: Part | null = null
  let n = 0
  let phase: Phase = { at: 'queueing', place: 0, estimate_seconds: null }
  let title: Promise<string | null> = Promise.resolve(null)
  let hasText = false
  /** What was added last; empty after a whole message. Most of who looks has missed only this. */
  let latestText = ''
  const followers = new WeakSet<AbortSignal>()
  let change: PromiseWithResolvers<void> | null = null

  function wake(): void {
    if (change === null) return
    atEndOfTurn(change.resolve)
    change = null
  }

  return {
    ...ids,
    get n() { return n },
    get phase() { return phase },
    /** Whether any token has come. */
    get hasText() { return hasText },
    /** The title that is being made, for a conversation begun without one. */
    get title() { return title },
    set title(making: Promise<string | null>) { title = making },

    take(event: ProviderEvent): void {
      if (event.type === 'text') {
        if (latest === null) return
        latest.tail += event.text
        latestText = event.text
        n += event.text.length
      } else {
        n += 1
        const part = parts.find(known => known.message.id === event.message.id)
        const told = { message: event.message, whole_n: n, tail: '' }
        if (part === undefined) parts.push(told)
        latestText = ''
        latest = part === undefined ? told : Object.assign(part, told)
      }
      hasText ||= event.type === 'text' || textOf(event.message) !== ''
      wake()
    },

    /** Takes events as another process wrote them down. */
    replay(events: readonly ReplyEvent[]): void {
      for (const event of events) {
        if (event.n <= n) continue
        // Pieces may overlap, when one was written down although its writer was told that it was not.
        if ('t' in event) this.take({ type: 'text', text: event.t.slice(Math.max(0, event.t.length - (event.n - n))) })
        else this.take({ type: 'message', message: event.message })
        n = event.n
        if (latest !== null && !('t' in event)) latest.whole_n = n
      }
    },

    /** The stored final state of a message, as event `at`. */
    finishAt(message: Message, at: number): void {
      this.replay([{ n: at, type: 'message', message }])
    },

    reach(next: Phase): void {
      phase = next
      wake()
    },

    /** All that comes after event `after`, in as few events as say it. */
    since(after: number): ReplyEvent[] {
      if (after >= n) return []
      const from = n - latestText.length
      if (after >= from) return [{ n, t: after === from ? latestText : latestText.slice(after - from) }]
      const events: ReplyEvent[] = []
      for (const part of parts) {
        const end = part.whole_n + part.tail.length
        if (part.whole_n > after) events.push({ n: end, type: 'message', message: whole(part) })
        else if (end > after) events.push({ n: end, t: part.tail.slice(after - part.whole_n) })
      }
      return events.length > 1 ? events.sort((a, b) => a.n - b.n) : events
    },

    /** The messages as they stand. */
    messages: (): Message[] => parts.map(whole),
    /** Those among them that have changed after event `after`. */
    messagesSince: (after: number): Message[] => parts.filter(part => part.whole_n + part.tail.length > after).map(whole),

    /** Resolves at the next change, or when a follower leaves. */
    changed(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return Promise.resolve()
      if (!followers.has(signal)) {
        followers.add(signal)
        signal.addEventListener('abort', wake, { once: true })
      }
      change ??= Promise.withResolvers()
      return change.promise
    },
  }
}

function whole({ message, tail }: Part): Message {
  if (tail === '') return message
  return { ...message, content: { content_type: 'text', text: textOf(message) + tail } }
}
