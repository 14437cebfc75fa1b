import type { AskRequest, Outcome } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import { iso } from '#server/conversations/history.ts'
import { idFrom } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { storageRefusalOf } from '#server/foundation/storageRefusal.ts'
import type { Provider, ProviderUpstream, Question } from '#server/providers/provider.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Admitted } from './admission.ts'
import type { Failure, LiveReply } from './liveReply.ts'
import type { AskMeasure, AskNeeds } from './needs.ts'
import { readThread } from './thread.ts'

/** Why an ask was ended from outside: the reason of its signal. */
export type Stop = 'stopped' | 'interrupted'
/** How an answer ended. `first_token_time` in epoch milliseconds. */
export type Conclusion = { outcome: Outcome; failure: Failure | null; first_token_time: number | null }
/** Who answers an ask, and where. */
export type Service = { provider: Provider; upstream: ProviderUpstream }
/** `service` is null when there is none for this ask. */
type Answered = Conclusion & { service: Service | null }

function questionOf(
  { request, reply_id, parent, question }: Admitted,
  thread: readonly Message[],
  now: number,
): Question {
  const { source, model } = request
  const last = thread.at(-1)
  return {
    source,
    model,
    parent,
    create_time: iso(now),
    reply_id,
    thoughts_id: idFrom(reply_id, 'thoughts'),
    continues: question === null && last !== undefined && last.role !== 'user',
    upstream_conversation_id: null,
    plugin_ids: request.openai_web_plugin_ids ?? [],
    attachments: request.openai_web_attachments ?? [],
    image_parts: request.openai_web_multimodal_image_parts ?? [],
    arkose_token: request.arkose_token ?? null,
  }
}

/** Takes the answer of an admitted ask from its upstream into the live reply. */
export function openAnswers({ open, clock, log, queue, upstreams, providers, configuration }: AskNeeds) {
  /** Waits for the ask's turn and takes the answer from the upstream. Never throws: the conclusion says how it ended. */
  async function fetchAnswer(
    admitted: Admitted,
    own: OwnEndpoint | null,
    reply: LiveReply,
    measured: AskMeasure,
    signal: AbortSignal,
  ): Promise<Answered> {
    let service: Service | null = null
    let failure: Failure | null = null
    let first_token_time: number | null = null
    try {
      service = serviceOf(admitted.request, own)
      await ownTurn(admitted, reply, signal)
      measured.started()
      const thread = await readThreadOf(admitted)
      measured.asksUpstream()
      await service.provider.reply(
        { question: questionOf(admitted, thread, clock.now()), thread, upstream: service.upstream },
        event => {
          measured.hears()
          reply.take(event)
          if (reply.hasText) first_token_time ??= clock.now()
        },
        signal,
      )
      if (!signal.aborted) measured.isAnswered()
    } catch (error) {
      if (!signal.aborted) failure = failureOf(error)
    }
    if (signal.aborted && signal.reason === 'interrupted') failure = { key: 'interrupted', values: {} }
    const outcome = signal.aborted ? (signal.reason as Stop) : failure === null ? 'finished' : 'failed' // asks.ts gives no other reason
    return { outcome, failure, first_token_time, service }
  }

  function serviceOf({ source, model }: AskRequest, own: OwnEndpoint | null): Service {
    const provider = providers[source]
    if (provider === null) throw new Refusal('chatTypeNotEnabled')
    return { provider, upstream: upstreams.endpoint(upstreams.first(source), model, own) }
  }

  async function ownTurn(
    { ask_id, upstream_id, request: { source, model }, queueing }: Admitted,
    reply: LiveReply,
    signal: AbortSignal,
  ): Promise<void> {
    if (!queueing) return
    await queue.turn(
      { ask_id, upstream_id, source, model },
      (place, estimate_seconds) => reply.reach({ at: 'queueing', place, estimate_seconds }),
      signal,
    )
    reply.reach({ at: 'replying' })
  }

  async function readThreadOf({ request, conversation_id, parent, question }: Admitted): Promise<Message[]> {
    // Nothing comes before it, so there is nothing to read.
    if (request.new_conversation && question !== null) return [question]
    const settings = configuration()
    const count = request.api_context_message_count ?? settings.asking.default_context_message_count
    const context_length =
      settings.openai_api.further_models.find(model => model.code === request.model)?.context_length ?? null
    return readThread(open, request.source, conversation_id, parent, count, context_length)
  }

  /** An unexpected error is a bug: people read that something went wrong, the log has the rest. */
  function failureOf(error: unknown): Failure {
    if (error instanceof Refusal) return { key: error.key, values: error.values }
    log.error({ err: error }, 'an ask broke off')
    return { key: storageRefusalOf(error)?.key ?? 'unknownError', values: {} }
  }

  return fetchAnswer
}
