import type { IncomingHttpHeaders } from 'node:http'
import type { Asking } from '#server/asking/asking.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { RelayForm, RelaySink } from '#server/providers/relay.ts'
import { type AnswerTimes, streamedAnswer, wholeAnswer } from './answer.ts'
import { FORMS, type ToolRequest } from './dialects/readRequest.ts'
import type { ToolRefusal } from './dialects/toolRefusal.ts'
import { headersSentOn } from './sentOn.ts'
import { type Translation, translationOf } from './translation.ts'

/** Milliseconds: tools hang up after 300 s without an answer, and Claude Code asks again after 600 s of a stream. */
const TIMES: AnswerTimes = { keepAlive: 10_000, wholeTurn: 285_000, streamTurn: null }
const MESSAGES_TURN = 590_000

type Dependencies = {
  asking: Pick<Asking, 'stop'>
  clock: Clock
  log: Log
  refusal(refusal: Refusal): ToolRefusal
}

type Taken = {
  request: ToolRequest
  ask_id: string
  headers: IncomingHttpHeaders
  /** Aborts when the client is gone. */
  gone: AbortSignal
}

/** What waits for the answer to a request, and takes it. */
export function openTaking({ asking, clock, log, refusal }: Dependencies) {
  return ({ request, ask_id, headers, gone }: Taken) => {
    const { dialect, model, streamed } = request
    const stop = (): void => {
      asking.stop(ask_id).catch((cause: unknown) => log.warn({ err: cause, ask_id }, 'an ask could not be stopped'))
    }
    gone.addEventListener('abort', stop, { once: true })
    const now = clock.now()
    const prefix = dialect === 'messages' ? 'msg' : 'resp'
    const stream = { id: `${prefix}_${ask_id.replaceAll('-', '')}`, model, create_time: now, sequence: 0 }
    const turn = dialect === 'messages' ? { streamTurn: MESSAGES_TURN } : {}
    const given = {
      form: FORMS[dialect],
      facts: stream,
      times: { ...TIMES, ...turn },
      refusal,
      translation: translationOf(request, stream),
      stop,
    }
    const { translation } = given
    const answer = streamed ? streamedAnswer(given) : wholeAnswer(given)
    const own = {
      dialect,
      embeddings: request.embeddings,
      body: request.body,
      headers: headersSentOn(dialect, headers),
      to: answer.to,
    }
    const forms = [own, ...asChat(answer, translation)]
    const chat = translation?.body ?? request.body
    return { ...answer, forms, refused: translation?.refused ?? [], messages: chat['messages'] }
  }
}

type Sinks = { translated: RelaySink | null }

/** The form in which an upstream takes a request that speaks nothing but chats. */
const asChat = ({ translated }: Sinks, translation: Translation | null): RelayForm[] =>
  translated === null || translation === null || translation.refused.length > 0
    ? []
    : [{ dialect: 'chat', body: translation.body, headers: {}, to: translated }]
