import { attachmentTokens } from '#contract/attachmentTokens.ts'
import { ANSWER_SHARE, roughTokens } from '#contract/context.ts'
import { type KeptAttachment, type Message, textOf, withoutPictures } from '#contract/messages.ts'
import { pagesIn } from '#contract/pages.ts'
import type { ContextLimit } from '#server/providers/contextLimit.ts'

/** How much of the conversation an answer does not know, by its kind. */
export type LeftOut = { messages: number; pictures: number; files: number }

export const NONE_LEFT_OUT: LeftOut = { messages: 0, pictures: 0, files: 0 }

export const isPicture = ({ as, page_count }: KeptAttachment): boolean =>
  as === 'picture' && (page_count ?? null) === null

/** `is_of_answer`: a picture of the answer before, which its person has not attached (answeredPictures.ts). */
export type SentAttachment = KeptAttachment & { is_of_answer?: true }

/** What goes with a question by its id here. */
export const attachedTo = ({ role, metadata }: Message): readonly SentAttachment[] =>
  role === 'user' && metadata?.source === 'openai_api' ? (metadata.attachments ?? []) : []

/** A message with fewer of its attachments: for the upstream alone. */
function withAttachments(message: Message, attachments: KeptAttachment[]): Message {
  const { metadata } = message
  if (metadata?.source !== 'openai_api' || attachments.length === attachedTo(message).length) return message
  return { ...message, metadata: { ...metadata, attachments } }
}

/** The thread without those of the attachments; the last question keeps all that its person has attached. */
export function withoutEarlier(
  thread: readonly Message[],
  isLeftOut: (attachment: KeptAttachment) => boolean,
): Message[] {
  const question = thread.findLastIndex(({ role }) => role === 'user')
  return thread.map((message, at) =>
    withAttachments(
      message,
      attachedTo(message).filter(each => isKeptWith(each, at === question) || !isLeftOut(each)),
    ),
  )
}

const isKeptWith = ({ is_of_answer }: SentAttachment, isLast: boolean): boolean => isLast && is_of_answer !== true

/** What of one thread is not in the other, which is a part of it. */
export function leftOut(whole: readonly Message[], sent: readonly Message[]): LeftOut {
  const count = (thread: readonly Message[], counts: (attachment: KeptAttachment) => boolean): number =>
    thread.reduce((sum, message) => sum + attachedTo(message).filter(counts).length, 0)
  const isFile = (attachment: KeptAttachment) => !isPicture(attachment)
  return {
    messages: whole.length - sent.length,
    pictures: count(whole, isPicture) - count(sent, isPicture),
    files: count(whole, isFile) - count(sent, isFile),
  }
}

export const together = (one: LeftOut, other: LeftOut): LeftOut => ({
  messages: one.messages + other.messages,
  pictures: one.pictures + other.pictures,
  files: one.files + other.files,
})

export const isNothing = ({ messages, pictures, files }: LeftOut): boolean => messages + pictures + files === 0

/**
 * As many of the latest messages as have room in the context, beside the answer. What the system says stays, and so
 * does the question, with the answer that is to be continued: the upstream says when that is too long.
 */
export function fitting(thread: readonly Message[], context_length: number | null, model: string): Message[] {
  return context_length === null ? [...thread] : withinTokens(thread, context_length * (1 - ANSWER_SHARE), model)
}

/** What went with earlier questions is left out before any message is, the oldest first. */
function withinTokens(whole: readonly Message[], tokens: number, model: string): Message[] {
  const thread = withAttachmentsWithin(whole, tokens, model)
  const begins = thread.findIndex(({ role }) => role !== 'system')
  const system = begins < 0 ? [] : thread.slice(0, begins)
  const said = thread.slice(system.length)
  let room = tokens - tokensOf(system, model)
  const kept: Message[] = []
  for (const message of said.toReversed()) {
    room -= tokensOf([message], model)
    if (room < 0 && kept.some(({ role }) => role === 'user')) break
    kept.push(message)
  }
  kept.reverse()
  if (kept.length === said.length) return [...thread]
  // An answer whose question is left out has nothing to say.
  const question = kept.findIndex(({ role }) => role === 'user')
  return [...system, ...(question < 0 ? kept : kept.slice(question))]
}

function withAttachmentsWithin(thread: readonly Message[], tokens: number, model: string): readonly Message[] {
  let surplus = tokensOf(thread, model) - tokens
  if (surplus <= 0) return thread
  const question = thread.findLastIndex(({ role }) => role === 'user')
  const left = new Set<KeptAttachment>()
  const leavable = thread
    .slice(0, question + 1)
    .flatMap((message, at) => attachedTo(message).filter(each => !isKeptWith(each, at === question)))
  for (const attachment of leavable) {
    if (surplus <= 0) break
    surplus -= attachmentTokens(attachment, model)
    left.add(attachment)
  }
  return left.size === 0 ? thread : withoutEarlier(thread, attachment => left.has(attachment))
}

/** Of a page that is looked at, as browsers draw it. */
const PAGE_BYTES = 500_000

function bytesOf({ as, size, pages, page_count = null }: KeptAttachment): number {
  if (as === 'text') return 0
  return as === 'picture' && page_count !== null ? pagesIn(pages, page_count).length * PAGE_BYTES : (size ?? 0)
}

/**
 * Without what went with earlier questions, the oldest first, as far as all that is sent has more bytes than this. It
 * is in memory while it is sent.
 */
export function withinBytes(thread: readonly Message[], max_bytes: number): readonly Message[] {
  let bytes = 0
  const left = new Set<KeptAttachment>()
  for (const attachment of thread.flatMap(attachedTo).toReversed()) {
    bytes += bytesOf(attachment)
    if (bytes > max_bytes) left.add(attachment)
  }
  return left.size === 0 ? thread : withoutEarlier(thread, attachment => left.has(attachment))
}

export const tokensOf = (thread: readonly Message[], model: string): number =>
  thread.reduce((sum, message) => sum + messageTokens(message, model), 0)

const messageTokens = (message: Message, model: string): number =>
  attachedTo(message).reduce(
    (sum, attachment) => sum + attachmentTokens(attachment, model),
    roughTokens(withoutPictures(textOf(message))),
  )

/** What an estimate may be wrong by. */
const SPARE = 0.05

/**
 * A thread that an upstream has found too long, once more without what came first: attachments, then messages; null
 * where there is nothing to leave out. What the upstream counts says how far the estimate is to be trusted.
 */
export function shortened(
  thread: readonly Message[],
  { most, asked, answer }: ContextLimit,
  model: string,
): Message[] | null {
  const estimate = tokensOf(thread, model)
  const ratio = asked === null || estimate === 0 ? 1 : Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, asked / estimate))
  const length = most ?? (estimate * ratio) / 2
  const forAnswer = Math.max(length * ANSWER_SHARE, Math.min(answer ?? 0, length / 2))
  // It was too long: at least one message or attachment less.
  const room = Math.min(((length - forAnswer) * (1 - SPARE)) / ratio, estimate - 1)
  const shorter = withinTokens(thread, room, model)
  return isNothing(leftOut(thread, shorter)) ? null : shorter
}

/** A count that differs more from the estimate is one of something else. */
const MAX_RATIO = 5

/** By how much a thread is too long, where that is known, and what of its attachments weighs most. */
export type Excess = { over_tokens?: number; heaviest?: string; heaviest_tokens?: number }

/** Of a thread: leaving out less than that would not help. */
const MIN_SHARE = 0.1

export function excessOf(thread: readonly Message[], { most, asked }: ContextLimit, model: string): Excess {
  const length = asked ?? tokensOf(thread, model)
  const over = most === null ? 0 : Math.ceil(length - most)
  const weighed = thread.flatMap(attachedTo).map(({ name, ...attachment }) => ({
    name,
    tokens: attachmentTokens({ ...attachment }, model),
  }))
  const heaviest = weighed.toSorted((one, other) => other.tokens - one.tokens)[0]
  return {
    ...(over > 0 && { over_tokens: over }),
    ...(heaviest !== undefined &&
      heaviest.tokens > length * MIN_SHARE && { heaviest: heaviest.name, heaviest_tokens: heaviest.tokens }),
  }
}
