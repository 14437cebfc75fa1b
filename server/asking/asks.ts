import type { Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { AdmittedAsk, RequestedAsk } from '#server/asks/ask.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { titleOf, makeTitle, titleOfQuestion } from '#server/conversations/titles.ts'
import { Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import { openRefusedAsks } from '#server/limits/limits.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Metrics } from '#server/foundation/metrics.ts'
import { openAnswers } from './answers.ts'
import type { AskDependencies, AskMetrics } from './dependencies.ts'
import type { Beginning } from './quiet/storedRequest.ts'
import type { Service } from './fittingAsk.ts'
import { LiveReply, type AskEnd } from './liveReply.ts'
import type { RunningAsks } from './runningAsks.ts'
import type { AskResult } from './completion.ts'

export type Asks = ReturnType<typeof openAsks>

/**
 * The life of an ask: admission, its turn, the answer, its end and a title. It goes on without anybody following it.
 */
export function openAsks(dependencies: AskDependencies & { running: RunningAsks }) {
  const { admit, queue, chunks, sources, running, keepPictures } = dependencies
  const fetchAnswer = openAnswers(dependencies)
  const ends = openAskEnds(dependencies)
  const nameConversation = openNaming(dependencies)
  const logRefused = openRefusedAsks(dependencies)
  const admissions = new Set<Promise<LiveReply>>()
  let stopping = false

  /** Accepts an ask and starts it. A client-made id that is known already is the same ask, sent again. */
  async function ask(asked: RequestedAsk): Promise<LiveReply> {
    if (stopping) throw new Refusal('serverStopping')
    ends.requireStorage()
    const again = running.has(asked.ask_id) ? running.find(asked.caller.user_id, asked.ask_id) : null
    if (again !== null) return again
    const started = admitAsk(asked).then(start)
    admissions.add(started)
    return started.finally(() => admissions.delete(started))
  }

  async function admitAsk(asked: RequestedAsk): Promise<AdmittedAsk> {
    const { source, destination } = asked
    const allowedUpstreams = (await sources.of(source).asks?.upstreamsFor?.(asked)) ?? null
    return admit({ ...asked, destination: { ...destination, allowedUpstreams } }).catch((refusal: unknown) => {
      void logRefused(asked, refusal)
      throw refusal
    })
  }

  /** Accepts an ask that waits until it is quiet. It is in the database and nowhere else. */
  async function askWhenQuiet(asked: RequestedAsk): Promise<void> {
    if (stopping) throw new Refusal('serverStopping')
    ends.requireStorage()
    await admitAsk(asked)
  }

  /** Begins one that waits: because it is quiet, or at the whole price because its person wants it now. */
  async function begin(ask_id: string, beginning: Beginning): Promise<void> {
    if (stopping) throw new Refusal('serverStopping')
    ends.requireStorage()
    const started = dependencies.beginWaiting(ask_id, beginning).then(start)
    admissions.add(started)
    await started.finally(() => admissions.delete(started))
    dependencies.publishChange(ask_id)
  }

  function start(admitted: AdmittedAsk): LiveReply {
    const reply = new LiveReply(admitted)
    const stop = new AbortController()
    if (!admitted.queueing) reply.reach({ at: 'replying' })
    chunks.add(reply)
    const done = run(admitted, reply, stop.signal)
    running.add({ user_id: admitted.caller.user_id, reply, stop, done })
    return reply
  }

  async function run(admitted: AdmittedAsk, reply: LiveReply, signal: AbortSignal): Promise<void> {
    const { conversation } = admitted
    const isNew = conversation?.id === null
    const meter = dependencies.metrics.ask(admitted.source, admitted.queueing)
    const { service, upstream, ...answered } = await fetchAnswer(admitted, reply, meter, signal)
    // The title is promised before the end is announced, so that whoever hears of the end waits for it.
    const title = Promise.withResolvers<string | null>()
    reply.title = title.promise
    const messages = await picturesKept(reply.messages(), admitted, service, reply.pictureLinks)
    const { outcome } = await ends.store(reply, {
      ...answered,
      ask_id: reply.ask_id,
      upstream_id: upstream.id,
      messages,
      hasText: reply.hasText,
      metered: reply.metered,
      upstream_conversation_id: reply.upstream_conversation_id,
      removesUnanswered: isNew && conversation.removesUnanswered,
    })
    meter.ended(outcome)
    queue.wake(upstream.id)
    const isUntitled = isNew && conversation.title === null
    title.resolve(isUntitled ? await nameConversation(admitted, reply, outcome === 'finished' ? service : null) : null)
  }

  async function picturesKept(
    messages: readonly Message[],
    { source, caller, conversation_id }: AdmittedAsk,
    service: Service | null,
    links: ReadonlySet<string>,
  ): Promise<readonly Message[]> {
    if (service === null || sources.of(source).filesAre !== 'here') return messages
    return keepPictures(messages, { user_id: caller.user_id, conversation_id, links, upstream: service.upstream })
  }

  return {
    ask,
    askWhenQuiet,
    begin,

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
  async function titleByUpstream(
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

  /**
   * The title that the conversation has now, if it is a new one. Without a service, completion has named it, if there
   * was anything to name it by.
   */
  return async (admitted: AdmittedAsk, reply: LiveReply, service: Service | null): Promise<string | null> => {
    const { conversation_id, question, source } = admitted
    if (conversation_id === null) return null
    try {
      if (service === null) return (await store.find(conversation_id))?.title ?? null
      const exchange = [...(question === null ? [] : [question]), ...reply.messages()]
      const title = sources.of(source).keepsConversations
        ? await titleByUpstream(source, reply, service, exchange)
        : await makeTitle(service.provider, service.upstream, exchange, closing)
      return title !== '' && (await store.titleOnce(conversation_id, title)) ? title : null
    } catch (error) {
      log.warn({ err: error }, 'a conversation could not be named')
      return null
    }
  }
}

/** Milliseconds between tries when the end of an answer could not be stored. */
const RETRIES = [200, 1_000, 4_000]

type Dependencies = Pick<AskDependencies, 'log' | 'complete' | 'chunks' | 'publishChange'> & { running: RunningAsks }

/** Stores the ends of asks before anybody hears of them. What cannot be stored is tried again. */
function openAskEnds({ log, complete, chunks, publishChange, running }: Dependencies) {
  /** Asks whose end cannot be stored at the moment, and why. */
  const unstored = new Map<string, Refusal>()
  let stopping = false

  async function store(reply: LiveReply, result: AskResult): Promise<AskEnd> {
    await chunks.remove(reply.ask_id)
    for (let attempt = 0; ; attempt++) {
      try {
        const end = await complete(result)
        running.end(reply.ask_id)
        unstored.delete(reply.ask_id)
        publishChange(reply.ask_id)
        reply.reach({ at: 'ended', ...end })
        return end
      } catch (error) {
        log.error({ err: error, ask_id: reply.ask_id }, 'the end of an ask could not be stored')
        const ofStorage = stopping ? null : storageRefusalOf(error)
        // On a disk that takes nothing, or without the database, it is tried until it is stored: the whole answer is
        // here and nowhere else.
        const pause = RETRIES[attempt] ?? (ofStorage === null ? undefined : RETRIES.at(-1))
        if (pause === undefined) return giveUp(reply)
        if (ofStorage !== null && attempt === RETRIES.length) announceUnstored(reply, ofStorage)
        await new Promise(resolve => {
          setTimeout(resolve, pause)
        })
      }
    }
  }

  /** Tells readers why they need not wait any longer. */
  function announceUnstored(reply: LiveReply, refusal: Refusal): void {
    unstored.set(reply.ask_id, refusal)
    reply.title = Promise.resolve(null)
    const failure = { key: refusal.key, values: {} }
    reply.reach({ at: 'ended', outcome: 'failed', charged: reply.hasText, failure, stored: null })
  }

  /** Without this process's lease another try is made from the chunks, here or in another process. */
  function giveUp(reply: LiveReply): AskEnd {
    running.remove(reply.ask_id)
    unstored.delete(reply.ask_id)
    const failure = { key: 'interrupted', values: {} } as const
    const end: AskEnd = { outcome: 'interrupted', charged: reply.hasText, failure, stored: null }
    reply.reach({ at: 'ended', ...end })
    return end
  }

  return {
    store,

    /** Refuses while no ends are stored: otherwise people would only read that an ask of theirs is still running. */
    requireStorage(): void {
      for (const refusal of unstored.values()) throw refusal
    },

    /** From now on nothing is tried for longer than a few seconds. */
    stop(): void {
      stopping = true
    },
  }
}

/** Counts each ask by its state, so that the gauges agree with the queue. Requests for titles are not measured. */
export function openAskMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): AskMetrics {
  return {
    ask(source, queueing) {
      let isRunning = false
      let hasReceived = false
      let asked_at = 0
      const seconds = () => (clock.monotonic() - asked_at) / 1000
      const queued = metrics.asksQueued.labels(source)
      const running = metrics.asksRunning.labels(source)
      if (queueing) queued.inc()
      const leaveQueue = () => {
        if (queueing) queued.dec()
      }
      return {
        started() {
          leaveQueue()
          isRunning = true
          running.inc()
        },
        asked() {
          asked_at = clock.monotonic()
        },
        received() {
          if (!hasReceived) metrics.upstreamFirstByte.labels(source).observe(seconds())
          hasReceived = true
        },
        answered() {
          metrics.upstreamAnswer.labels(source).observe(seconds())
        },
        ended(outcome) {
          if (isRunning) running.dec()
          else leaveQueue()
          metrics.askOutcomes.labels(source, outcome).inc()
        },
      }
    },
  }
}
