import type { AskRequest } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { Caller } from '#server/users/user.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { titleOf } from '#server/conversations/titleOf.ts'
import { makeTitle, titleOfQuestion } from '#server/conversations/titles.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openRefusedAsks } from '#server/limits/refusedAsks.ts'
import type { Admitted } from './admission.ts'
import { openAnswers } from './answers.ts'
import { openAskEnds } from './askEnds.ts'
import type { AskDependencies } from './dependencies.ts'
import type { Service } from './fittingAsk.ts'
import { LiveReply } from './liveReply.ts'
import type { RunningAsks } from './runningAsks.ts'

export type Asks = ReturnType<typeof openAsks>

/** The life of an ask: admission, its turn, the answer, its end and a title. It goes on without anybody following it. */
export function openAsks(dependencies: AskDependencies & { running: RunningAsks }) {
  const { clock, admit, queue, chunks, configuration, running } = dependencies
  const fetchAnswer = openAnswers(dependencies)
  const ends = openAskEnds(dependencies)
  const nameConversation = openNaming(dependencies)
  const logRefused = openRefusedAsks(dependencies)
  const admissions = new Set<Promise<LiveReply>>()
  let stopping = false

  /**
   * Accepts an ask and starts it. A client-made id that is known already is the same ask, sent again. `removesUnanswered`: a new conversation
   * is removed when its question gets no answer, for old clients, which cannot show such a question.
   */
  async function ask(caller: Caller, request: AskRequest, removesUnanswered = false): Promise<LiveReply> {
    if (stopping) throw new Refusal('serverStopping')
    ends.requireStorage()
    const again = request.ask_id && running.has(request.ask_id) ? running.find(caller.user_id, request.ask_id) : null
    if (again !== null) return again
    const started = admitAsk(caller, request).then(admitted =>
      start(admitted, removesUnanswered && request.new_conversation),
    )
    admissions.add(started)
    return started.finally(() => admissions.delete(started))
  }

  async function admitAsk(caller: Caller, request: AskRequest): Promise<Admitted> {
    const ask = {
      withPlugins: (await dependencies.sources.of(request.source).asks?.upstreamsFor?.(request)) ?? null,
      caller,
      request,
      ask_id: request.ask_id ?? newId(),
      holder: dependencies.holder,
      now: clock.now(),
      lease_from: dependencies.leaseTime.now(),
      configuration: configuration(),
    }
    return admit(ask).catch((refusal: unknown) => {
      const { source, model } = request
      void logRefused({ user_id: caller.user_id, source, model }, refusal)
      throw refusal
    })
  }

  function start(admitted: Admitted, removesUnanswered: boolean): LiveReply {
    const reply = new LiveReply(admitted)
    const stop = new AbortController()
    if (!admitted.queueing) reply.reach({ at: 'replying' })
    chunks.add(reply)
    const done = run(admitted, reply, stop.signal, removesUnanswered)
    running.add({ user_id: admitted.user_id, reply, stop, done })
    return reply
  }

  async function run(
    admitted: Admitted,
    reply: LiveReply,
    signal: AbortSignal,
    removesUnanswered: boolean,
  ): Promise<void> {
    const meter = dependencies.metrics.ask(admitted.request.source, admitted.queueing)
    const { service, upstream, ...answered } = await fetchAnswer(admitted, reply, meter, signal)
    // The title is promised before the end is announced, so that whoever hears of the end waits for it.
    const title = Promise.withResolvers<string | null>()
    reply.title = title.promise
    const { outcome } = await ends.store(reply, {
      ...answered,
      ask_id: reply.ask_id,
      messages: reply.messages(),
      hasText: reply.hasText,
      upstream_conversation_id: reply.upstream_conversation_id,
      removesUnanswered,
    })
    meter.ended(outcome)
    queue.wake(upstream.id)
    title.resolve(
      admitted.untitled ? await nameConversation(admitted, reply, outcome === 'finished' ? service : null) : null,
    )
  }

  return {
    ask,

    /** No new asks; those that run may end until the signal says that time is up, and are kept as far as they came. */
    async close(timeIsUp: AbortSignal): Promise<void> {
      stopping = true
      ends.stop()
      await Promise.allSettled(admissions)
      await running.close(timeIsUp)
    },
  }
}

/** Names conversations that were begun without a title. */
function openNaming({ open, log, sources, closing }: Pick<AskDependencies, 'open' | 'log' | 'sources' | 'closing'>) {
  const store = conversationStore(open.database)

  /** An upstream that keeps conversations is asked for no answer that makes a title: that would begin one there. */
  async function titleThere(
    source: Source,
    reply: LiveReply,
    { upstream: endpoint }: Service,
    exchange: readonly Message[],
  ) {
    const { upstreamTitle, upstream_conversation_id: id } = reply
    const message_id = exchange.findLast(({ role }) => role === 'assistant')?.id
    if (upstreamTitle !== null) return titleOf(upstreamTitle) ?? titleOfQuestion(exchange)
    const made =
      id === null || message_id === undefined
        ? null
        : await sources.of(source).asks?.makeTitle?.({ endpoint, id }, message_id, closing)
    return made ?? titleOfQuestion(exchange)
  }

  /** The title that the conversation has now, if it is a new one. Without a service, completion has named it, if there was anything to name it by. */
  return async (admitted: Admitted, reply: LiveReply, service: Service | null): Promise<string | null> => {
    const { conversation_id, question } = admitted
    try {
      if (service === null) return (await store.find(conversation_id))?.title ?? null
      const exchange = [...(question === null ? [] : [question]), ...reply.messages()]
      const { source } = admitted.request
      const title = sources.of(source).keepsConversations
        ? await titleThere(source, reply, service, exchange)
        : await makeTitle(service.provider, service.upstream, exchange, closing)
      return title !== '' && (await store.titleOnce(conversation_id, title)) ? title : null
    } catch (error) {
      log.warn({ err: error }, 'a conversation could not be named')
      return null
    }
  }
}
