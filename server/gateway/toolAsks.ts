import type { IncomingHttpHeaders } from 'node:http'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Asking } from '#server/asking/asking.ts'
import type { LiveReply } from '#server/asking/liveReply.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Log } from '#server/foundation/logging.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { RelayForm, RelaySink } from '#server/providers/relay.ts'
import type { Caller } from '#server/users/user.ts'
import { type AnswerTimes, streamedAnswer, wholeAnswer } from './answer.ts'
import { openToolConversations } from './conversations.ts'
import { FORMS, readToolRequest, type ToolRequest } from './dialects/readRequest.ts'
import { modelCode, modelsOf, SOURCE } from './models.ts'
import { type RefusalFacts, toolRefusal } from './refusals/refusals.ts'
import { headersSentOn } from './sentOn.ts'
import { toolName } from './toolName.ts'
import { type Translation, translationOf } from './translation.ts'

type Dependencies = {
  asking: Pick<Asking, 'ask' | 'stop'>
  configuration(): Configuration
  clock: Clock
  log: Log
  times?: Partial<AnswerTimes>
}

/** What a tool has sent: a body that was parsed, in a dialect. */
export type ToolQuestion = {
  dialect: ToolRequest['dialect']
  body: unknown
  headers: IncomingHttpHeaders
  caller: Caller
  request_id: string
  /** Aborts when the client is gone. */
  gone: AbortSignal
}

/** Milliseconds: tools hang up after 300 s without an answer, and Claude Code asks again after 600 s of a stream. */
const TIMES: AnswerTimes = { keepAlive: 10_000, wholeTurn: 285_000, streamTurn: null }
const MESSAGES_TURN = 590_000

/** Answers requests of other tools: each is an ask of the person whose key it has. */
export function openToolAsks({ asking, configuration, clock, log, times = {} }: Dependencies) {
  const conversations = openToolConversations()

  function facts(): RefusalFacts {
    const { time_zone, public_origin } = configuration().portal
    return { now: clock.now(), time_zone, portal: public_origin }
  }

  /** What waits for its answer, and takes it. */
  function answering(request: ToolRequest, ask_id: string, headers: IncomingHttpHeaders, gone: AbortSignal) {
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
      times: { ...TIMES, ...turn, ...times },
      refusal: (refusal: Refusal) => toolRefusal(refusal, facts()),
      translation: translationOf(request, stream),
      stop,
    }
    const { translation } = given
    const answer = streamed ? streamedAnswer(given) : wholeAnswer(given)
    const own = { dialect, body: request.body, headers: headersSentOn(dialect, headers), to: answer.to }
    return { ...answer, forms: [own, ...asChat(answer, translation)], refused: translation?.refused ?? [] }
  }

  return {
    /** What refusals say beside what is refused. */
    facts,

    async answer({ dialect, body, headers, caller, request_id, gone }: ToolQuestion): Promise<HttpAnswer> {
      const request = readToolRequest(dialect, body, headers)
      const model = modelCode(configuration(), request.model)
      if (model === null)
        throw new Refusal('modelNotEnabled', {
          model: request.model,
          models: modelsOf(configuration(), caller).join(', '),
        })
      const ask_id = newId()
      const { forms, refused, follow, answer } = answering(request, ask_id, headers, gone)
      const conversation = `${caller.user_id} ${model} ${request.conversation}`
      const asked = asking.ask({
        ...A_RELAY,
        ask_id,
        caller,
        tool: toolName(headers),
        model,
        relay: {
          forms,
          streamed: request.streamed,
          input_tokens: request.input_tokens,
          max_output: request.max_output,
          last_upstream_id: conversations.find(conversation),
        },
      })
      const reply = await asked.catch((refusal: unknown) => {
        throw notTranslated(refusal, refused)
      })
      void followed(reply, follow(reply, gone), { log, request_id }).then(() => {
        if (reply.upstream_id !== null) conversations.note(conversation, reply.upstream_id)
      })
      return answer
    },
  }
}

type Sinks = { translated: RelaySink | null }

/** The form in which an upstream takes a request that speaks nothing but chats. */
const asChat = ({ translated }: Sinks, translation: Translation | null): RelayForm[] =>
  translated === null || translation === null || translation.refused.length > 0
    ? []
    : [{ dialect: 'chat', body: translation.body, headers: {}, to: translated }]

/** What stands in the way of a translation is named where nobody speaks the dialect itself. */
function notTranslated(refusal: unknown, [name]: readonly string[]): unknown {
  if (name === undefined || !(refusal instanceof Refusal) || refusal.key !== 'dialectNotSpoken') return refusal
  return invalid(['body', name], 'Not offered by the accounts that answer with this model', 'not_offered')
}

/** Whoever waits for the answer hears of what goes wrong; here nothing more can be done about it. */
async function followed(reply: LiveReply, done: Promise<void>, { log, request_id }: { log: Log; request_id: string }) {
  await done.catch((error: unknown) =>
    log.error({ err: error, request: request_id, ask_id: reply.ask_id }, 'unexpected error in an answer to a tool'),
  )
}

/** Of an ask that is passed on: it has no text of its own, and belongs to no conversation. */
const A_RELAY = {
  source: SOURCE,
  text: '',
  attachments: [],
  parameters: {},
  conversation: null,
  earlier: [],
  extras: {},
  destination: { allowedUpstreams: null, source_id: null },
  quiet_until: null,
} satisfies Partial<RequestedAsk>
