import { isDeepStrictEqual } from 'node:util'
import type { DeltaEvent, Outcome } from '#contract/asking.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import { withoutNodes } from '#contract/messageTree.ts'
import { type Content, isThoughts, isVisible, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import type { ProviderEvent } from '#server/providers/provider.ts'
import type { RelayedTokens } from '#server/asks/logStore.ts'

/** A numbered event: what a reply consists of (contract/asking.ts). */
export type ReplyEvent = Extract<DeltaEvent, { n: number }>

/** What a chunk holds: events and the conversation at the upstream, or counts of an answer that is passed on. */
export type WrittenEvent = ReplyEvent | { n: 0; upstream_conversation_id: string } | { n: 0; metered: RelayedTokens }

export type Failure = { key: RefusalKey; values: RefusalValues }

/** What is stored of an answer, and the record of its conversation afterwards: null when that is gone. */
export type StoredAnswer = { messages: readonly Message[]; conversation: ConversationRecord | null }

/** How an ask has ended. `stored` is null while its end could not be stored. */
export type AskEnd = { outcome: Outcome; charged: boolean; failure: Failure | null; stored: StoredAnswer | null }

/** How far an ask has come. */
export type Phase =
  | {
      at: 'queueing'
      place: number
      estimate_seconds: number | null
      cooling_until: number | null
      /** It waits until it is quiet: until when at most, and until when as usual. */
      quiet?: { until: number; likely_at: number | null }
    }
  | { at: 'replying' }
  | ({ at: 'ended' } & AskEnd)

/** A message, and the text appended since it last came as a whole. */
type Part = {
  message: Message
  tail: string
  /** The numbers of the event that began it, and of the one by which it last came as a whole. */
  begin_n: number
  whole_n: number
  /** The number of its last change. */
  change: number
  /** Whether it is a part of the answer and anything of it can be seen. */
  isSeen: boolean
}

type ReplyIds = { ask_id: string; source: Source; conversation_id: string | null; question: Message | null }

/**
 * An answer as it grows: one message or several, in the form in which the provider gives them. It does not know its
 * followers: they look again after `changed`. A class, since object literals with getters would each have a hidden
 * class of their own, which makes every access slow.
 */
export class LiveReply {
  readonly ask_id: string
  readonly source: Source
  /** Null: an ask without a conversation. */
  readonly conversation_id: string | null
  readonly question: Message | null
  /** The title that is being made, for a conversation that was started without one. */
  title: Promise<string | null> = Promise.resolve(null)
  /** The id and the title of the conversation at the upstream. */
  upstream_conversation_id: string | null = null
  upstreamTitle: string | null = null
  /** Links to pictures that the upstream sent, and the model did not write. */
  readonly pictureLinks = new Set<string>()
  /** What has come of an answer that is passed on, which has no messages; null for any other. */
  metered: RelayedTokens | null = null
  /** The upstream whose turn it was; null until then. */
  upstream_id: number | null = null
  readonly #parts: Part[] = []
  #latest: Part | null = null
  /** A message whose final state has no event yet: it adds no text, so nobody needs it unless more follows. */
  #settled: Part | null = null
  #n = 0
  #changes = 0
  #phase: Phase = { at: 'queueing', place: 0, estimate_seconds: null, cooling_until: null }
  /** How many messages of the answer show anything. */
  #seen = 0
  #hasTokens = false
  /** The text appended last; empty after a whole message. Most followers have missed only this. */
  #latestText = ''
  /** The latest result of `since`: mostly all followers have come equally far. */
  #latestSince: { after: number; n: number; events: readonly ReplyEvent[] } | null = null
  readonly #followers = new WeakSet<AbortSignal>()
  #change: PromiseWithResolvers<void> | null = null

  constructor({ ask_id, source, conversation_id, question }: ReplyIds) {
    this.ask_id = ask_id
    this.source = source
    this.conversation_id = conversation_id
    this.question = question
  }

  get n(): number {
    return this.#n
  }
  /** Counts every change of a message, also those without an event. */
  get changes(): number {
    return this.#changes
  }
  get phase(): Phase {
    return this.#phase
  }
  /**
   * Whether anything of the answer can be seen, which is what an ask is charged for. Thoughts do not count, nor what
   * came and was taken back.
   */
  get hasText(): boolean {
    return this.#seen > 0 || this.metered?.has_output === true
  }
  /** Whether any token has come, of the answer or of thoughts. */
  get hasTokens(): boolean {
    return this.#hasTokens || this.metered?.has_output === true
  }

  take(event: ProviderEvent): void {
    switch (event.type) {
      case 'text':
        if (this.#latest === null) return
        this.#numberSettled()
        return this.#append(event.text, this.#n + event.text.length)
      case 'message':
        return this.#takeMessage(event.message)
      case 'conversation':
        this.upstream_conversation_id = event.upstream_conversation_id
        return
      case 'picture_links':
        for (const url of event.urls) this.pictureLinks.add(url)
        return
      case 'title':
        this.upstreamTitle = event.title
    }
  }

  /** More of an answer that is passed on has come. */
  meter(seen: RelayedTokens): void {
    this.metered = seen
    this.#n += 1
  }

  /**
   * Providers emit the last message again at the end, with the same text and final metadata. That makes no event, which
   * would send the text twice: followers get it with the end of the ask.
   */
  #takeMessage(message: Message): void {
    const latest = this.#latest
    if (latest?.message.id === message.id && isDeepStrictEqual(whole(latest).content, message.content)) {
      latest.message = { ...message, content: latest.message.content }
      latest.change = this.#changes += 1
      this.#settled = latest
      return
    }
    if (latest?.message.id !== message.id) this.#numberSettled()
    this.#setWhole(message, this.#n + 1)
  }

  #numberSettled(): void {
    const settled = this.#settled
    if (settled !== null) this.#setWhole(whole(settled), this.#n + 1)
  }

  #setWhole(message: Message, n: number): void {
    this.#n = n
    this.#settled = null
    this.#latestText = ''
    const known = this.#parts.find(part => part.message.id === message.id)
    const isSeen = isAnswer(message) && hasContent(message)
    const as = { message, tail: '', whole_n: n, change: (this.#changes += 1), isSeen }
    this.#seen += Number(isSeen) - Number(known?.isSeen ?? false)
    if (known === undefined) this.#parts.push({ ...as, begin_n: n })
    this.#latest = known === undefined ? (this.#parts.at(-1) ?? null) : Object.assign(known, as)
    const bringsText = textOf(message) !== ''
    this.#hasTokens ||= bringsText
    // An empty beginning wakes nobody: it is sent with the first text.
    if (bringsText || message.content?.content_type !== 'text') this.#wake()
  }

  #append(text: string, n: number): void {
    const part = this.#latest
    if (part === null) return
    part.tail += text
    part.change = this.#changes += 1
    this.#latestText = text
    this.#n = n
    if (!part.isSeen && isAnswer(part.message) && isVisible(text)) {
      part.isSeen = true
      this.#seen += 1
    }
    this.#hasTokens = true
    this.#wake()
  }

  /** Takes events from chunks. */
  replay(events: readonly WrittenEvent[]): void {
    for (const event of events) {
      if ('metered' in event) this.metered = event.metered
      else if ('upstream_conversation_id' in event) this.upstream_conversation_id = event.upstream_conversation_id
      else if (event.n <= this.#n) continue
      // Texts may overlap: a chunk may have been stored although its writer got an error.
      else if ('t' in event) this.#append(event.t.slice(Math.max(0, event.t.length - (event.n - this.#n))), event.n)
      else this.#setWhole(event.message, event.n)
    }
  }

  reach(next: Phase): void {
    this.#phase = next
    this.#wake()
  }

  /** All that comes after event `after`, in as few events as possible. */
  since(after: number): readonly ReplyEvent[] {
    const n = this.#n
    if (after >= n) return []
    if (this.#latestSince?.after !== after || this.#latestSince.n !== n)
      this.#latestSince = { after, n, events: this.#eventsSince(after, n) }
    return this.#latestSince.events
  }

  /** The same, for a chunk. */
  writtenSince(after: number): readonly WrittenEvent[] {
    const { upstream_conversation_id, metered } = this
    if (metered !== null) return [{ n: 0, metered }]
    const events = this.since(after)
    return upstream_conversation_id === null ? events : [{ n: 0, upstream_conversation_id }, ...events]
  }

  #eventsSince(after: number, n: number): ReplyEvent[] {
    const latestText = this.#latestText
    const from = n - latestText.length
    if (after >= from) return [{ n, t: after === from ? latestText : latestText.slice(after - from) }]
    const events: ReplyEvent[] = []
    for (const [index, part] of this.#parts.entries()) {
      const { begin_n, whole_n, tail } = part
      const end = whole_n + tail.length
      // It came again after later messages had begun. A follower who has seen none of them needs it before them.
      const next_n = this.#parts[index + 1]?.begin_n ?? Infinity
      if (begin_n > after && next_n < whole_n) events.push({ n: begin_n, type: 'message', message: whole(part) })
      if (whole_n > after) events.push({ n: end, type: 'message', message: whole(part) })
      else if (end > after) events.push({ n: end, t: tail.slice(after - whole_n) })
    }
    return events.length > 1 ? events.sort((a, b) => a.n - b.n) : events
  }

  /** The messages as they stand. */
  messages(): Message[] {
    return this.#parts.map(whole)
  }

  /**
   * The messages that have changed since change number `after`, without thoughts: a message that follows thoughts gets
   * the parent of those.
   */
  messagesSince(after: number): Message[] {
    const changed = this.#parts.filter(({ message, change }) => change > after && !isThoughts(message)).map(whole)
    if (!this.#parts.some(({ message }) => isThoughts(message))) return changed
    const linked = withoutNodes<Message>(
      Object.fromEntries(this.#parts.map(({ message }) => [message.id, message])),
      isThoughts,
    )
    return changed.map(message => ({ ...message, parent: linked[message.id]?.parent ?? null }))
  }

  /**
   * Resolves at the next change, or when a follower leaves; null: it follows to the end. A signal that outlives many
   * answers would hold them all.
   */
  changed(signal: AbortSignal | null): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve()
    if (signal !== null && !this.#followers.has(signal)) {
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

/** Neither the question, which some upstreams repeat, nor thoughts are part of the answer. */
const isAnswer = (message: Message): boolean =>
  (message.role === 'assistant' || message.role === 'tool') && !isThoughts(message)

/** Whether a message has visible text or a picture. */
function hasContent(message: Message): boolean {
  const { content } = message
  const hasPicture = content?.content_type === 'multimodal_text' && content.parts.some(part => typeof part !== 'string')
  return hasPicture || isVisible(textOf(message))
}

function whole({ message, tail }: Part): Message {
  return tail === '' ? message : { ...message, content: withAppended(message, tail) }
}

/** The content with text appended, in the form in which it came. */
function withAppended(message: Message, tail: string): Content {
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
      return { ...content, parts: withTextAtEnd(content.parts, tail) }
    case 'text':
      return content.text === undefined && content.parts !== undefined
        ? { ...content, parts: withTextAtEnd(content.parts, tail) }
        : { content_type: 'text', text: textOf(message) + tail }
    case undefined:
      return { content_type: 'text', text: tail }
  }
}

function withTextAtEnd<P>(parts: readonly P[], tail: string): (P | string)[] {
  const last = parts.at(-1)
  return typeof last === 'string' ? [...parts.slice(0, -1), last + tail] : [...parts, tail]
}
