import { isThoughts, type Message } from '#contract/messages.ts'
import { contextLimitOf } from '#server/providers/contextLimit.ts'
import type { Provider, ProviderEvent, ProviderUpstream, Question } from '#server/providers/provider.ts'
import type { AskDependencies } from './dependencies.ts'
import { leftOut, shortened } from './thread.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '#server/foundation/refusal.ts'

/** Who answers an ask, and where. */
export type Service = { provider: Provider; upstream: ProviderUpstream }

type Dependencies = Pick<AskDependencies, 'upstreams' | 'clock'>

/** What is sent of a conversation, and how many earlier messages are not. */
type SentThread = { thread: readonly Message[]; left_out: number }

/**
 * Asks an upstream for an answer. A thread that turns out to be too long is sent once more, in the time that is left,
 * without its earliest messages; what the upstream says of the length of its context is kept. The answer says how many
 * messages were left out.
 */
export function fittingAsk(
  { upstreams, clock }: Dependencies,
  { provider, upstream }: Service,
  upstream_id: number,
  signal: AbortSignal,
) {
  return async (
    { thread, left_out }: SentThread,
    questionOf: (thread: readonly Message[]) => Question,
    emit: (event: ProviderEvent) => void,
  ): Promise<void> => {
    const began = clock.monotonic()
    let hasBegun = false
    const send = (sent: SentThread, at: ProviderUpstream): Promise<void> =>
      provider.reply(
        { question: questionOf(sent.thread), thread: sent.thread, upstream: at },
        event => {
          hasBegun = true
          emit(withLeftOut(event, sent.left_out))
        },
        signal,
      )
    try {
      await send({ thread, left_out }, upstream)
    } catch (error) {
      const limit = contextLimitOf(error)
      if (limit === null || signal.aborted) throw error
      if (limit.most !== null) await upstreams.learnContext(upstream_id, upstream, limit.most)
      const shorter = hasBegun ? null : shortened(thread, limit)
      const left_seconds = upstream.ask_timeout - (clock.monotonic() - began) / 1000
      if (shorter === null || left_seconds <= 0 || signal.aborted) throw error
      const sent = { thread: shorter, left_out: left_out + leftOut(thread, shorter) }
      await send(sent, { ...upstream, ask_timeout: left_seconds })
    }
  }
}

/** An answer says how much of the conversation it does not know. */
function withLeftOut(event: ProviderEvent, left_out: number): ProviderEvent {
  if (event.type !== 'message' || left_out === 0) return event
  const { message } = event
  if (message.role !== 'assistant' || isThoughts(message) || message.metadata?.source !== 'openai_api') return event
  return { ...event, message: { ...message, metadata: { ...message.metadata, left_out_messages: left_out } } }
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
