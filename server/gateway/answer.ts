import { PassThrough } from 'node:stream'
import { type HttpAnswer, jsonAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { LiveReply, Phase } from '#server/asking/liveReply.ts'
import type { RelayHead, RelaySink } from '#server/providers/relay.ts'
import type { DialectForm, StreamFacts } from './dialects/form.ts'
import type { ToolRefusal } from './dialects/toolRefusal.ts'
import { translatedRefusal, type Translation, translatingSink } from './translation.ts'

export type AnswerTimes = {
  /** Milliseconds: in a stream in which nothing comes a sign of life follows the other sooner than that. */
  keepAlive: number
  /** After which an answer that is not streamed and has not had its turn is refused: tools hang up soon afterwards. */
  wholeTurn: number
  /** After which a stream that waits is ended: null, it may wait as long as it takes. */
  streamTurn: number | null
}

type Answering = {
  form: DialectForm
  facts: StreamFacts
  times: AnswerTimes
  refusal(refusal: Refusal): ToolRefusal
  /** Where an upstream speaks nothing but chats; null of a chat. */
  translation: Translation | null
  /** Ends the ask: the client is gone, or may not wait any longer. */
  stop(): void
}

type Ended = Extract<Phase, { at: 'ended' }>

/** Why it ended without an answer. */
export function refusalOfEnd({ failure }: Ended): Refusal {
  return failure === null ? new Refusal('interrupted') : new Refusal(failure.key, failure.values)
}

const contentType = ({ content_type }: RelayHead): Record<string, string> => ({ 'content-type': content_type })

/** An answer that is not streamed: it is sent when it is whole. */
export function wholeAnswer({ form, times, refusal: inWords, stop, translation }: Answering) {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const pieces: Uint8Array[] = []
  let head: RelayHead | null = null
  let refused: HttpAnswer | null = null
  // Sent when the ask has ended: whoever asks again at once is not in the way of themselves.
  const refuse = (answer: HttpAnswer): void => {
    refused = answer
  }
  const to: RelaySink = {
    began: given => {
      head = given
    },
    write(bytes) {
      pieces.push(bytes)
      return null
    },
    refused: ({ status, body, content_type }) =>
      refuse({ status, headers: { 'content-type': content_type }, body: Buffer.from(body) }),
  }
  const translated: RelaySink = { ...to, refused: refusedAsChat(form, refuse) }
  let asChat = false
  translated.began = given => {
    asChat = true
    head = given
  }

  /** The whole body, in the dialect of the request. */
  function whole(given: RelayHead): HttpAnswer {
    const body = Buffer.concat(pieces)
    if (!asChat || translation === null) return { status: given.status, headers: contentType(given), body }
    const answer = translation.whole(parsedBody(body))
    if ('answer' in answer) return jsonAnswer(given.status, answer.answer)
    const said = form.refused({ ...inWords(new Refusal('openai.cutOff')), message: answer.error.message })
    return jsonAnswer(said.status, said.body, said.headers)
  }

  async function follow(reply: LiveReply, gone: AbortSignal): Promise<void> {
    const deadline = setTimeout(() => {
      if (reply.phase.at !== 'queueing') return
      reject(new Refusal('queueFull', { retry_after_seconds: 61 }))
      stop()
    }, times.wholeTurn)
    const phase = await endOf(reply)
    clearTimeout(deadline)
    if (refused !== null) resolve(refused)
    else if (gone.aborted || phase.outcome !== 'finished' || head === null) reject(refusalOfEnd(phase))
    else resolve(whole(head))
  }
  return { to, translated, follow, hold: () => () => undefined, refuse: reject, answer: promise }
}

const refusedAsChat =
  ({ dialect }: DialectForm, resolve: (answer: HttpAnswer) => void): RelaySink['refused'] =>
  ({ body }) => {
    const { status, headers, body: said } = translatedRefusal(dialect, body)
    resolve(jsonAnswer(status, said, headers))
  }

function parsedBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null // the translators say that it is no answer
  }
}

async function endOf(reply: LiveReply): Promise<Ended> {
  while (reply.phase.at !== 'ended') await reply.changed(null)
  return reply.phase
}

export const OF_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

/** An answer as a stream of events. Its headers are sent when the upstream begins, or when it is known to take long. */
export function streamedAnswer({ form, facts, times, refusal: inWords, stop, translation }: Answering) {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const body = new PassThrough()
  // Whoever reads is gone: nothing more is written.
  body.on('error', () => {})
  let [opened, hasBegun, hasEnded] = [false, false, false]
  let lastWrite = performance.now()
  let refused: HttpAnswer | null = null

  const open = (status: number, headers: Record<string, string>): void => {
    if (opened) return
    opened = true
    resolve({ status, headers: { ...headers, 'x-accel-buffering': 'no' }, body })
  }
  const send = (events: string | Uint8Array): Promise<void> | null => {
    lastWrite = performance.now()
    if (body.destroyed || body.write(events)) return null
    return new Promise(done => {
      const go = (): void => {
        body.off('drain', go).off('close', go)
        done()
      }
      body.on('drain', go).on('close', go)
    })
  }
  const end = (refusal: Refusal): void => {
    if (!opened) reject(refusal)
    else if (!hasEnded) void send(translated?.finish(inWords(refusal)) ?? form.brokenOff(inWords(refusal), facts))
    hasEnded = true
  }
  const keepAlive = (position: number | null): void => {
    // What its upstream has begun goes on by itself; an event of ours in the middle of it would be one too many.
    const isComment = hasBegun
    open(200, OF_STREAM)
    void send(isComment ? ': waiting for the answer\n\n' : form.waiting(position, facts))
    if (!isComment) facts.sequence += 1
  }

  const resolveRefused = (answer: HttpAnswer): void => {
    opened = hasEnded = true
    refused = answer
  }

  const to: RelaySink = {
    began(head) {
      hasBegun = true
      open(head.status, contentType(head))
    },
    write(bytes) {
      if (hasEnded) return null
      hasEnded = form.ends(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
      return send(bytes)
    },
    refused({ status, content_type, body: answer }) {
      // Of a stream that is open the failure that follows is the end.
      if (!opened) resolveRefused({ status, headers: { 'content-type': content_type }, body: Buffer.from(answer) })
    },
  }

  const translated =
    translation === null
      ? null
      : translatingSink(
          { ...to, refused: refusedAsChat(form, answer => opened || resolveRefused(answer)) },
          translation,
        )

  /** Says that it lives as long as nothing comes; returns what stops that. */
  function hold(position: () => number | null = () => 1): () => void {
    const half = times.keepAlive / 2
    const silence = setInterval(() => {
      if (performance.now() - lastWrite >= half) keepAlive(position())
    }, half)
    return () => clearInterval(silence)
  }

  async function follow(reply: LiveReply, gone: AbortSignal): Promise<void> {
    const release = hold(() => positionIn(reply.phase))
    const limit = times.streamTurn
    const deadline =
      limit === null
        ? null
        : setTimeout(() => {
            if (hasBegun) return
            end(new Refusal('timeout'))
            stop()
          }, limit)
    let shown: number | null = null
    while (reply.phase.at !== 'ended') {
      const position = positionIn(reply.phase)
      if (position !== null && position !== shown && !gone.aborted) keepAlive(position)
      shown = position
      await reply.changed(null)
    }
    release()
    if (deadline !== null) clearTimeout(deadline)
    if (refused !== null) resolve(refused)
    else if (reply.phase.outcome !== 'finished' || !opened) end(refusalOfEnd(reply.phase))
    else void send(translated?.finish(null) ?? '')
    body.end()
  }
  const refuse = (refusal: Refusal): void => {
    end(refusal)
    body.end()
  }
  return { to, translated, follow, hold, refuse, answer: promise }
}

/** In the queue; null where it has its turn, or is not counted yet. */
const positionIn = (phase: Phase): number | null => (phase.at === 'queueing' && phase.place > 0 ? phase.place : null)
