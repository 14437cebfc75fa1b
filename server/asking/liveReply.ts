import type { DeltaEvent, Outcome } from '#contract/asking.ts'
import { withoutNodes } from '#contract/messageTree.ts'
import { type Content, isThoughts, isVisible, type Message, textOf } from '#contract/messages.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
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

type Ids = { ask_id: string; conversation_id: string; question: Message | null }

/**
 * An answer as it grows. It does not know its followers: they look again after `changed`. A class, since object literals with
 * getters would each have a hidden class of their own, which makes every access slow.
 */
export class LiveReply {
  readonly ask_id: string
  readonly conversation_id: string
  readonly question: Message | null
  /** The title that is being made, for a conversation begun without one. */
  title: Promise<string | null> = Promise.resolve(null)
  readonly #parts: Part[] = []
  #latest: Part | null = null
  #n = 0
  #phase: Phase = { at: 'queueing', place: 0, estimate_seconds: null }
  #hasText = false
  #hasTokens = false
  /** What was added last; empty after a whole message. Most followers have missed only this. */
  #latestText = ''
  /** What was given last to those who had seen event `after`: mostly all followers have come equally far. */
  #given: { after: number; n: number; events: readonly ReplyEvent[] } | null = null
  readonly #followers = new WeakSet<AbortSignal>()
  #change: PromiseWithResolvers<void> | null = null

  constructor({ ask_id, conversation_id, question }: Ids) {
    this.ask_id = ask_id
    this.conversation_id = conversation_id
    this.question = question
  }

  get n(): number {
    return this.#n
  }
  get phase(): Phase {
    return this.#phase
  }
  /** Whether anything of the answer has come that can be seen, which is what an ask is charged for. Thoughts are not it. */
  get hasText(): boolean {
    return this.#hasText
  }
  /** Whether any token has come, of the answer or of thoughts. */
  get hasTokens(): boolean {
    return this.#hasTokens
  }

  take(event: ProviderEvent): void {
    if (event.type === 'text') {
      if (this.#latest === null) return
      this.#latest.tail += event.text
      this.#latestText = event.text
      this.#n += event.text.length
      this.#hasText ||= !isThoughts(this.#latest.message) && isVisible(event.text)
    } else {
      this.#takeWhole(event.message)
      this.#hasText ||= isVisible(textOf(event.message))
    }
    const bringsText = event.type === 'text' || textOf(event.message) !== ''
    this.#hasTokens ||= bringsText
    // An answer begins empty, which tells nobody anything: it is told with its first text.
    if (bringsText || event.message.content?.content_type !== 'text') this.#wake()
  }

  #takeWhole(message: Message): void {
    this.#n += 1
    const part = this.#parts.find(known => known.message.id === message.id)
    const told = { message, whole_n: this.#n, tail: '' }
    if (part === undefined) this.#parts.push(told)
    this.#latestText = ''
    this.#latest = part === undefined ? told : Object.assign(part, told)
  }

  /** Takes events as another process wrote them down. */
  replay(events: readonly ReplyEvent[]): void {
    for (const event of events) {
      if (event.n <= this.#n) continue
      // Pieces may overlap, when one was written down although its writer was told that it was not.
      if ('t' in event)
        this.take({ type: 'text', text: event.t.slice(Math.max(0, event.t.length - (event.n - this.#n))) })
      else this.take({ type: 'message', message: event.message })
      this.#n = event.n
      if (this.#latest !== null && !('t' in event)) this.#latest.whole_n = event.n
    }
  }

  /** The stored final state of a message, as event `at`. */
  finishAt(message: Message, at: number): void {
    this.replay([{ n: at, type: 'message', message }])
  }

  reach(next: Phase): void {
    this.#phase = next
    this.#wake()
  }

  /** All that comes after event `after`, in as few events as say it. */
  since(after: number): readonly ReplyEvent[] {
    const n = this.#n
    if (after >= n) return []
    if (this.#given?.after !== after || this.#given.n !== n)
      this.#given = { after, n, events: this.#eventsSince(after, n) }
    return this.#given.events
  }

  #eventsSince(after: number, n: number): ReplyEvent[] {
    const latestText = this.#latestText
    const from = n - latestText.length
    if (after >= from) return [{ n, t: after === from ? latestText : latestText.slice(after - from) }]
    const events: ReplyEvent[] = []
    for (const part of this.#parts) {
      const end = part.whole_n + part.tail.length
      if (part.whole_n > after) events.push({ n: end, type: 'message', message: whole(part) })
      else if (end > after) events.push({ n: end, t: part.tail.slice(after - part.whole_n) })
    }
    return events.length > 1 ? events.sort((a, b) => a.n - b.n) : events
  }

  /** The messages as they stand. */
  messages(): Message[] {
    return this.#parts.map(whole)
  }

  /** Those among them that have changed after event `after`, without thoughts: what followed those follows what was before them. */
  messagesSince(after: number): Message[] {
    const changed = this.#parts
      .filter(({ message, whole_n, tail }) => whole_n + tail.length > after && !isThoughts(message))
      .map(whole)
    if (!this.#parts.some(({ message }) => isThoughts(message))) return changed
    const linked = withoutNodes<Message>(
      Object.fromEntries(this.#parts.map(({ message }) => [message.id, message])),
      isThoughts,
    )
    return changed.map(message => ({ ...message, parent: linked[message.id]?.parent ?? null }))
  }

  /** Resolves at the next change, or when a follower leaves. */
  changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    if (!this.#followers.has(signal)) {
      this.#followers.add(signal)
      signal.addEventListener('abort', () => this.#wake(), { once: true })
    }
    this.#change ??= Promise.withResolvers()
    return this.#change.promise
  }

  #wake(): void {
    if (this.#change === null) return
    this.#change.resolve()
    this.#change = null
  }
}

function whole({ message, tail }: Part): Message {
  return tail === '' ? message : { ...message, content: longer(message, tail) }
}

/** The content with more text at its end, in the form in which it came. */
function longer(message: Message, tail: string): Content {
  const { content } = message
  switch (content?.content_type) {
    case 'thoughts':
    case 'code':
    case 'execution_output':
    case 'stderr':
    case 'system_error':
    case 'tether_quote':
      return { ...content, text: content.text + tail }
    case 'tether_browsing_display':
      return { ...content, result: content.result + tail }
    case 'multimodal_text':
      return { ...content, parts: longerParts(content.parts, tail) }
    case 'text':
      return content.text === undefined && content.parts !== undefined
        ? { ...content, parts: longerParts(content.parts, tail) }
        : { content_type: 'text', text: textOf(message) + tail }
    case undefined:
      return { content_type: 'text', text: tail }
  }
}

function longerParts<P>(parts: readonly P[], tail: string): (P | string)[] {
  const last = parts.at(-1)
  return typeof last === 'string' ? [...parts.slice(0, -1), last + tail] : [...parts, tail]
}
