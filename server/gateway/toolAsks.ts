import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '#contract/gateway.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Asking } from '#server/asking/asking.ts'
import type { LiveReply } from '#server/asking/liveReply.ts'
import type { RequestedAsk } from '#server/asks/ask.ts'
import type { KeepExchange } from '#server/conversations/exchanges.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import { type HttpAnswer, jsonAnswer } from '#server/foundation/http/route.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Digests } from '#server/foundation/secrets.ts'
import type { Log } from '#server/foundation/logging.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { Key } from '#server/keys/finding.ts'
import type { Caller } from '#server/users/user.ts'
import { openToolConversations } from './conversations.ts'
import { readEmbeddingsRequest } from './dialects/readEmbeddings.ts'
import { FORMS, readToolRequest, type ToolRequest } from './dialects/readRequest.ts'
import { openKeeping } from './keeping.ts'
import { modelCode, modelsOf, SOURCE } from './models.ts'
import { openRefusalMemory } from './refusalMemory.ts'
import { kindOf } from './refusals/kinds.ts'
import { type RefusalFacts, toolRefusal } from './refusals/refusals.ts'
import { mayRunBeside, sameOf } from './sameRequest.ts'
import { openTaking } from './taking.ts'
import { toolName } from './toolName.ts'
import type { Trial } from './trials.ts'
import { isForQuiet, whenQuiet } from './whenQuiet.ts'
import type { ReadUsage } from './usage.ts'
import { usageHeaders } from './usageHeaders.ts'

type Dependencies = {
  asking: Pick<Asking, 'ask' | 'stop'>
  configuration(): Configuration
  clock: Clock
  log: Log
  usage: ReadUsage
  bus: Bus
  secretBox: Digests
  keepExchange: KeepExchange
}

/** What a tool has sent: a body that was parsed, in a dialect. */
export type ToolQuestion = {
  dialect: ToolRequest['dialect']
  /** It asks for vectors. */
  embeddings: boolean
  body: unknown
  headers: IncomingHttpHeaders
  caller: Caller
  key: Pick<Key, 'name' | 'keeps_conversations'>
  request_id: string
  /** Aborts when the client is gone. */
  gone: AbortSignal
  /** Where its person waits for it. */
  trial: Trial | null
}

/** Answers requests of other tools: each is an ask of the person whose key it has. */
export function openToolAsks(dependencies: Dependencies) {
  const { asking, configuration, clock, log, bus, secretBox } = dependencies
  const keeping = openKeeping(dependencies)
  const conversations = openToolConversations(bus)
  const refusals = openRefusalMemory({ bus, clock })
  const whatIsLeft = readLeft(dependencies)
  const taken = openTaking({ ...dependencies, refusal: refusal => toolRefusal(refusal, facts()) })

  function facts(): RefusalFacts {
    const { time_zone, public_origin } = configuration().portal
    return { now: clock.now(), time_zone, portal: public_origin }
  }

  /** In the form of the dialect. */
  function refused(dialect: Dialect, refusal: Refusal, more: Record<string, string> = {}): HttpAnswer {
    const { status, headers, body } = FORMS[dialect].refused(toolRefusal(refusal, facts()))
    return jsonAnswer(status, body, { ...more, ...headers })
  }

  /** `admitted` resolves when it is; `answer` may come before, where it waits until it is quiet. */
  function begin(request: ToolRequest, model: string, question: ToolQuestion & { quiet: boolean }) {
    const { headers, caller, key, request_id, gone, trial, quiet } = question
    const [tool, same] = [toolName(headers), sameOf(request)]
    const ask_id = newId()
    const taking = taken({ request, ask_id, headers, gone })
    const { forms, refused: untranslated, follow, answer, messages } = taking
    const kept = keeping.of({ request, key, caller, tool, model, messages })
    const conversation = `${caller.user_id} ${model} ${request.conversation}`
    const asked: RequestedAsk = {
      ...A_RELAY,
      ask_id,
      caller,
      tool,
      model,
      relay: {
        digest: secretBox.digest(same, `request of key ${caller.id}`),
        may_run_beside: mayRunBeside(request, { tool, headers, same }),
        forms: kept?.observed(forms) ?? forms,
        streamed: request.streamed,
        input_tokens: request.input_tokens,
        max_output: request.max_output,
        last_upstream_id: conversations.find(conversation),
      },
    }
    const whenItIs = () => asking.ask({ ...asked, quiet_until: clock.now() })
    const asks = quiet ? whenQuiet(whenItIs, { bus, gone, hold: () => taking.hold() }) : asking.ask(asked)
    const admitted = asks.then(
      reply => {
        void trial?.follow(reply, model)
        void followed(reply, follow(reply, gone), { log, request_id }).then(() => {
          if (reply.upstream_id !== null) conversations.note(conversation, reply.upstream_id)
          return kept?.keep(reply)
        })
      },
      (cause: unknown) => {
        const refusal = notTranslated(cause, untranslated)
        taking.refuse(refusal instanceof Refusal ? refusal : new Refusal('interrupted'))
        throw refusal
      },
    )
    return { answer, admitted }
  }

  return {
    refused,
    close: keeping.close,

    async answer(question: ToolQuestion): Promise<HttpAnswer> {
      const { dialect, embeddings, body, caller, trial } = question
      const request = embeddings ? readEmbeddingsRequest(body) : readToolRequest(dialect, body, question.headers)
      const model = modelCode(configuration(), request.model)
      if (model === null)
        throw new Refusal('modelNotEnabled', {
          model: request.model,
          models: modelsOf(configuration(), caller).join(', '),
        })
      const quiet = isForQuiet(question.headers) || caller.bounds?.quiet_only === true
      const scope = `${caller.id} ${model} ${quiet}`
      const known = refusals.find(scope)
      if (known !== null) {
        trial?.refused(known.refusal)
        return refused(dialect, known.refusal, known.headers)
      }
      const changes = refusals.changes()
      try {
        const { answer, admitted } = begin(request, model, { ...question, quiet })
        await Promise.race([admitted, answer])
        const [answered, headers] = await Promise.all([answer, whatIsLeft(caller, model)])
        return { ...answered, headers: { ...headers, ...answered.headers } }
      } catch (refusal) {
        if (!(refusal instanceof Refusal) || kindOf(refusal.key) !== 'limit') throw refusal
        const headers = await whatIsLeft(caller, model)
        refusals.note(scope, refusal, { headers, changes })
        trial?.refused(refusal)
        return refused(dialect, refusal, headers)
      }
    },
  }
}

/** Read while the upstream thinks. An answer without it is better than none. */
function readLeft({ usage, clock, log }: Pick<Dependencies, 'usage' | 'clock' | 'log'>) {
  return async (caller: Caller, model: string): Promise<Record<string, string>> => {
    try {
      return usageHeaders(await usage(caller), { model, now: clock.now() })
    } catch (cause) {
      log.warn({ err: cause }, 'what is left to a tool could not be read')
      return {}
    }
  }
}

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
