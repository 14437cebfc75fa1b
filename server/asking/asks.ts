import type { AskRequest, Outcome } from '#contract/asking.ts'
import type { User } from '#server/accounts/user.ts'
import { makeTitle } from '#server/conversations/titles.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { storageRefusalOf } from '#server/foundation/storageRefusal.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import { type Admitted, EndpointUnknown } from './admission.ts'
import { type Conclusion, openAnswers, type Service, type Stop } from './answers.ts'
import { LiveReply } from './liveReply.ts'
import type { AskNeeds } from './needs.ts'
import { askStore } from '#server/asks/store.ts'

/** Who asks, as they were when their socket was opened. */
export type Asker = Pick<User, 'id' | 'session' | 'has_own_endpoint'>
/** `leavesNothing`: for clients that know of no questions without an answer, a new conversation goes with a question that brought nothing. */
type Begun = Admitted & { leavesNothing: boolean }
type Running = { user_id: number; reply: LiveReply; stop: AbortController; done: Promise<void> }

/** Milliseconds that a finished answer stays at hand for whoever reconnects. */
const KEPT_AFTER_END = 60_000
/** Milliseconds between tries when the end of an answer could not be stored. */
const RETRIES = [200, 1_000, 4_000]

/** The asks that this process runs. An ask is a record, not a socket: it goes on without anybody following it. */
export function openAsks(needs: AskNeeds) {
  const { open, clock, log, admit, complete, queue, chunks, upstreams, configuration } = needs
  const fetchAnswer = openAnswers(needs)
  const running = new Map<string, Running>()
  const ended = new Map<string, Pick<Running, 'user_id' | 'reply'>>()
  /** Asks that have ended and could not be stored yet, and why. */
  const unstored = new Map<string, Refusal>()
  /** Asks that are being admitted. */
  const beginning = new Set<Promise<LiveReply>>()
  let stopping = false

  /** Accepts an ask and starts it. A client-made id that is known already is the same ask, sent again. */
  async function ask(asker: Asker, request: AskRequest, leavesNothing = false): Promise<LiveReply> {
    if (stopping) throw new Refusal('serverStopping')
    // Otherwise it would only be said that an ask of theirs is still running.
    for (const refusal of unstored.values()) throw refusal
    const again = request.ask_id ? (running.get(request.ask_id) ?? null) : null
    if (again !== null && again.user_id === asker.id) return again.reply
    const begun = admitted(asker, request, leavesNothing).catch((error: unknown) => {
      if (error instanceof EndpointUnknown)
        return admitted({ ...asker, has_own_endpoint: true }, request, leavesNothing)
      throw error
    })
    beginning.add(begun)
    return begun.finally(() => beginning.delete(begun))
  }

  async function admitted(
    { id: user_id, session, has_own_endpoint }: Asker,
    request: AskRequest,
    leavesNothing: boolean,
  ): Promise<LiveReply> {
    const { source } = request
    await needs.keepSession(session)
    const own = has_own_endpoint ? await needs.personal(user_id, source) : null
    const begun = await admit({
      user_id,
      session,
      request,
      ask_id: request.ask_id ?? newId(),
      endpoint_known: has_own_endpoint || source !== 'openai_api',
      upstream_id: upstreams.idOf(source, own),
      places: upstreams.concurrency(source),
      holder: needs.holder,
      now: clock.now(),
      lease_from: needs.leaseTime.now(),
      configuration: configuration(),
    })
    return start({ ...begun, leavesNothing: leavesNothing && request.new_conversation }, own)
  }

  function start(admitted: Begun, own: OwnEndpoint | null): LiveReply {
    const reply = new LiveReply(admitted)
    const stop = new AbortController()
    if (!admitted.queueing) reply.reach({ at: 'replying' })
    chunks.add(reply)
    running.set(admitted.ask_id, {
      user_id: admitted.user_id,
      reply,
      stop,
      done: run(admitted, own, reply, stop.signal),
    })
    return reply
  }

  /** The life of an ask: its turn, the answer, the end, and a title for a new conversation. */
  async function run(admitted: Begun, own: OwnEndpoint | null, reply: LiveReply, signal: AbortSignal): Promise<void> {
    const measured = needs.metrics.ask(admitted.request.source, admitted.queueing)
    const { service, ...conclusion } = await fetchAnswer(admitted, own, reply, measured, signal)
    // The title is promised before the end is told, so that whoever hears of the end waits for it.
    const title = Promise.withResolvers<string | null>()
    reply.title = title.promise
    const outcome = await conclude(admitted, reply, conclusion)
    measured.ended(outcome)
    queue.wake(admitted.upstream_id)
    title.resolve(admitted.untitled ? await nameIt(admitted, reply, outcome === 'finished' ? service : null) : null)
  }

  /** The answer is stored before anybody hears that it is complete; what is told is what was stored. */
  async function conclude(
    { ask_id, user_id, leavesNothing }: Begun,
    reply: LiveReply,
    result: Conclusion,
  ): Promise<Outcome> {
    await chunks.remove(ask_id)
    for (let attempt = 0; ; attempt++) {
      try {
        const end = await complete({
          ...result,
          ask_id,
          messages: reply.messages(),
          hasText: reply.hasText,
          leavesNothing,
        })
        ended.set(ask_id, { user_id, reply })
        setTimeout(() => ended.delete(ask_id), KEPT_AFTER_END).unref()
        running.delete(ask_id)
        unstored.delete(ask_id)
        needs.published(ask_id)
        reply.reach({ at: 'ended', ...end })
        return end.outcome
      } catch (error) {
        log.error({ err: error, ask_id }, 'the end of an ask could not be stored')
        // On a disk that takes nothing it is tried until it does: the whole answer is here and nowhere else. Its readers hear why they wait no longer.
        const ofStorage = stopping ? null : storageRefusalOf(error)
        const pause = RETRIES[attempt] ?? (ofStorage === null ? undefined : RETRIES.at(-1))
        if (ofStorage !== null && pause !== undefined && attempt === RETRIES.length) {
          unstored.set(ask_id, ofStorage)
          reply.title = Promise.resolve(null)
          reply.reach({
            at: 'ended',
            outcome: 'failed',
            charged: reply.hasText,
            failure: { key: ofStorage.key, values: {} },
            stored: null,
          })
        }
        if (pause !== undefined)
          await new Promise(resolve => {
            setTimeout(resolve, pause)
          })
        else return abandon(ask_id, reply)
      }
    }
  }

  /** Without this process's lease another try is made from what was written down, here or elsewhere. */
  function abandon(ask_id: string, reply: LiveReply): Outcome {
    running.delete(ask_id)
    unstored.delete(ask_id)
    reply.reach({
      at: 'ended',
      outcome: 'interrupted',
      charged: reply.hasText,
      failure: { key: 'interrupted', values: {} },
      stored: null,
    })
    return 'interrupted'
  }

  /** By the model; without a service the conversation has its name since the end of its ask (completion.ts), if there is one. */
  async function nameIt(
    { conversation_id, question }: Admitted,
    reply: LiveReply,
    service: Service | null,
  ): Promise<string | null> {
    const exchange = [...(question === null ? [] : [question]), ...reply.messages()]
    const store = conversationStore(open.database)
    try {
      if (service === null) return (await store.find(conversation_id))?.title ?? null
      const title = await makeTitle(service.provider, service.upstream, exchange, needs.closing)
      return title !== '' && (await store.titleOnce(conversation_id, title)) ? title : null
    } catch (error) {
      log.warn({ err: error }, 'a conversation could not be named')
      return null
    }
  }

  /** Ends an ask wherever it runs; what has arrived is kept. */
  async function stop(ask_id: string): Promise<void> {
    const found = running.get(ask_id)
    if (found !== undefined) return found.stop.abort('stopped' satisfies Stop)
    await askStore(open.database).requestStop(ask_id)
    needs.stopElsewhere(ask_id)
  }

  return {
    ask,
    stop,

    /** An ask of this person that runs here or ended here lately. */
    findHere(user_id: number, ask_id: string): LiveReply | null {
      const found = running.get(ask_id) ?? ended.get(ask_id)
      return found?.user_id === user_id ? found.reply : null
    },

    runsHere: (ask_id: string): boolean => running.has(ask_id),

    stopHere: (ask_id: string): void => running.get(ask_id)?.stop.abort('stopped' satisfies Stop),

    /** Another process has taken it over. */
    interruptHere: (ask_id: string): void => running.get(ask_id)?.stop.abort('interrupted' satisfies Stop),

    /** Ends everything of a person, as before the account is removed. */
    async stopAllOf(user_id: number): Promise<void> {
      const own = [...running.values()].filter(found => found.user_id === user_id)
      const asks = await askStore(open.database).livingOf(user_id)
      await Promise.all(asks.map(({ ask_id }) => stop(ask_id)))
      await Promise.all(own.map(found => found.done))
    },

    running: (): string[] => [...running.keys()],

    /** No new asks; those that run may end until the signal says that time is up, and are kept as far as they came. */
    async close(timeIsUp: AbortSignal): Promise<void> {
      stopping = true
      await Promise.allSettled(beginning)
      const left = [...running.values()]
      for (const { reply, stop } of left) if (reply.phase.at === 'queueing') stop.abort('interrupted' satisfies Stop)
      const cut = () => {
        for (const { stop } of left) stop.abort('interrupted' satisfies Stop)
      }
      timeIsUp.addEventListener('abort', cut)
      if (timeIsUp.aborted) cut()
      await Promise.all(left.map(found => found.done))
    },
  }
}
export type Asks = ReturnType<typeof openAsks>
