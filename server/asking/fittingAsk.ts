import { isThoughts, type KeptAttachment, type Message } from '#contract/messages.ts'
import type { ModelCapabilities } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { LoadedAttachment } from '#server/files/attached.ts'
import type { AttachedPart } from '#server/providers/attachedPart.ts'
import { contextLimitOf } from '#server/providers/contextLimit.ts'
import type { Attached, Provider, ProviderEvent, ProviderUpstream, Question } from '#server/providers/provider.ts'
import type { AskDependencies } from './dependencies.ts'
import {
  attachedTo,
  excessOf,
  isNothing,
  type LeftOut,
  leftOut,
  shortened,
  together,
  withoutEarlier,
} from './fitting.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '#server/foundation/refusal.ts'

/** Who answers an ask, and where. */
export type Service = { provider: Provider; upstream: ProviderUpstream }

type Dependencies = Pick<AskDependencies, 'upstreams' | 'clock' | 'loadAttached'>

/** What is sent of a conversation, and what is not. */
type SentThread = { thread: readonly Message[]; left_out: LeftOut }

/** Whose conversation it is, and which of the upstreams is asked. */
type AskedUpstream = { user_id: number; upstream_id: number }

/**
 * Asks an upstream for an answer. A thread that turns out to be too long is sent once more, in the time that is left,
 * without what came first, and one with earlier pictures or files that the model does not take goes without them, once
 * for each reason. What the upstream says of its context and of what it takes is kept. The answer says what was left
 * out.
 */
export function fittingAsk(
  { upstreams, clock, loadAttached }: Dependencies,
  { provider, upstream }: Service,
  { user_id, upstream_id }: AskedUpstream,
  signal: AbortSignal,
) {
  const attach = attaching(attachments => loadAttached(user_id, attachments))

  return async (
    whole: SentThread,
    questionOf: (thread: readonly Message[]) => Question,
    emit: (event: ProviderEvent) => void,
  ): Promise<void> => {
    const began = clock.monotonic()
    let hasBegun = false
    const send = async ({ thread, left_out }: SentThread): Promise<void> => {
      const { attached, gone } = await attach(thread)
      const ask_timeout = upstream.ask_timeout - (clock.monotonic() - began) / 1000
      const question = questionOf(thread)
      return provider.reply(
        {
          ...{ question, thread, attached, upstream: { ...upstream, ask_timeout } },
          onLimits: limits => upstreams.noteLimits(upstream_id, question.model ?? '', limits),
        },
        event => {
          hasBegun = true
          emit(withLeftOut(event, left_out, gone))
        },
        signal,
      )
    }
    const refused = new Set<RefusalKey>()
    let sent = whole
    for (;;) {
      try {
        return await send(sent)
      } catch (error) {
        if (signal.aborted) throw error
        await learnFrom(upstreams, { upstream_id, upstream }, error)
        const isLate = upstream.ask_timeout - (clock.monotonic() - began) / 1000 <= 0
        const isAgain = error instanceof Refusal && refused.has(error.key)
        const thread = hasBegun || isLate || isAgain ? null : without(error, sent.thread, upstream.model_name)
        if (error instanceof Refusal) refused.add(error.key)
        if (thread === null) throw withExcess(error, sent.thread, upstream.model_name)
        sent = { thread, left_out: together(sent.left_out, leftOut(sent.thread, thread)) }
      }
    }
  }
}

/** Keeps what an upstream says of its context, and of what it takes. */
export async function learnFrom(
  upstreams: Pick<AskDependencies['upstreams'], 'learnContext' | 'learnCapabilities'>,
  { upstream_id, upstream }: { upstream_id: number; upstream: ProviderUpstream },
  error: unknown,
): Promise<void> {
  const most = contextLimitOf(error)?.most ?? null
  if (most !== null) await upstreams.learnContext(upstream_id, upstream, most)
  const refused = error instanceof Refusal ? REFUSED[error.key] : undefined
  if (refused !== undefined) await upstreams.learnCapabilities(upstream_id, upstream, refused)
}

/** What a refusal teaches of a model. */
const REFUSED: Partial<Record<RefusalKey, Partial<ModelCapabilities>>> = {
  'openai.picturesNotTaken': { takes_pictures: false },
  'openai.filesNotTaken': { takes_files: false },
}

/** Refusals of pictures, which earlier ones may be the reason for. */
const OF_PICTURES: ReadonlySet<RefusalKey> = new Set([
  'openai.picturesNotTaken',
  'openai.tooManyPictures',
  'openai.pictureTooLarge',
  'openai.pictureUnreadable',
])

/** The thread without what an upstream has refused it for; null where that is not known, or nothing to leave out. */
function without(error: unknown, thread: readonly Message[], model: string): Message[] | null {
  const limit = contextLimitOf(error)
  if (limit !== null) return shortened(thread, limit, model)
  if (!(error instanceof Refusal)) return null
  const refused = OF_PICTURES.has(error.key) ? 'picture' : error.key === 'openai.filesNotTaken' ? 'file' : null
  if (refused === null) return null
  const fewer = withoutEarlier(thread, ({ as }) => as === refused)
  return isNothing(leftOut(thread, fewer)) ? null : fewer
}

/** A refusal for the length says how much too long it is, and what weighs most. */
function withExcess(error: unknown, thread: readonly Message[], model: string): unknown {
  const limit = contextLimitOf(error)
  if (limit === null || !(error instanceof Refusal)) return error
  return new Refusal(error.key, { ...error.values, ...excessOf(thread, limit, model) }, { cause: error.cause })
}

/** What goes with the questions of a thread; each is loaded once. `gone`: how many are not here any more. */
function attaching(load: (attachments: readonly KeptAttachment[]) => Promise<LoadedAttachment[]>) {
  const loaded = new Map<KeptAttachment, LoadedAttachment>()
  return async (thread: readonly Message[]): Promise<{ attached: Attached; gone: number }> => {
    const wanted = new Set(thread.flatMap(attachedTo))
    for (const each of loaded.keys()) if (!wanted.has(each)) loaded.delete(each)
    const missing = [...wanted].filter(each => !loaded.has(each))
    const found = missing.length === 0 ? [] : await load(missing)
    for (const [at, attachment] of missing.entries()) {
      const one = found[at]
      if (one !== undefined) loaded.set(attachment, one)
    }
    const attached = new Map<string, AttachedPart[]>()
    for (const message of thread) {
      const parts = attachedTo(message).flatMap(each => loaded.get(each)?.parts ?? [])
      if (parts.length > 0) attached.set(message.id, parts)
    }
    return { attached, gone: [...loaded.values()].filter(({ gone }) => gone !== null).length }
  }
}

/** An answer says how much of the conversation it does not know. */
function withLeftOut(event: ProviderEvent, { messages, pictures, files }: LeftOut, gone: number): ProviderEvent {
  if (event.type !== 'message' || messages + pictures + files + gone === 0) return event
  const { message } = event
  if (message.role !== 'assistant' || isThoughts(message) || message.metadata?.source !== 'openai_api') return event
  const unknown = {
    ...(messages > 0 && { left_out_messages: messages }),
    ...(pictures > 0 && { left_out_pictures: pictures }),
    ...(files > 0 && { left_out_files: files }),
    ...(gone > 0 && { gone_files: gone }),
  }
  return { ...event, message: { ...message, metadata: { ...message.metadata, ...unknown } } }
}

/** Milliseconds before each further try: mostly the other answer is about to end. A minute altogether. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
/** Seconds that are believed of what the account says itself; "wait one minute" is what it says to everybody. */
const MAX_BELIEVED_SECONDS = 30

type AskAttempt = {
  ask(): Promise<void>
  /** Whether anything of the answer has come, so that it cannot be asked for again. */
  hasBegun(): boolean
  signal: AbortSignal
}

/**
 * Asks an account that answers one question at a time again while it answers another, in another window of its owner,
 * say.
 */
export async function askUntilFree(
  { ask, hasBegun, signal }: AskAttempt,
  pauses: readonly number[] = PAUSES,
): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof Refusal && error.key === 'openai.oneAtATime'
      if (!isBusy || pause === null || hasBegun() || signal.aborted) throw error
      await wait(Math.max(pause, retryDelayOf(error)), undefined, { signal })
    }
  }
}

function retryDelayOf({ values: { retry_after_seconds: seconds } }: Refusal): number {
  return typeof seconds === 'number' && seconds <= MAX_BELIEVED_SECONDS ? seconds * 1000 : 0
}
