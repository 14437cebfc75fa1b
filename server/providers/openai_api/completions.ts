import { requestAddress } from '#contract/settings.ts'
import type { Outbound, OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { withContextLimit } from '../contextLimit.ts'
import { keyHeaders } from '../endpoint.ts'
import type { ProviderAsk, ProviderUpstream, Question } from '../provider.ts'
import { refusalOfAnswer } from '../upstreamRefusal.ts'
import { ofAttachments } from '../attachmentRefusal.ts'
import { requestBody } from './requestBody.ts'
import { instructedAs, type InstructionRole, toUpstream } from './upstreamMessages.ts'

/**
 * Asks an endpoint for the next message of a thread. Resolves when it begins to answer; whatever it refuses with is
 * thrown as a refusal.
 */
export type Complete = (asked: ProviderAsk, signal: AbortSignal) => Promise<OutboundAnswer>

const USAGE = { stream_options: { include_usage: true } }
/** Statuses of a request that is not understood, or wants something that is not there. */
const NOT_UNDERSTOOD = new Set([400, 404, 405, 406, 415, 422, 501])
/** Bytes of a refusal that are looked through for what was not understood, and for what it means. */
const MAX_REFUSAL = 20_000
/** Models of endpoints that are remembered; people may have their own. */
const MAX_MODELS = 500

/** What an endpoint can be asked for beside the answer itself. */
type Abilities = { streams: boolean; usage: boolean; instructs_as: InstructionRole }
const ALL: Abilities = { streams: true, usage: true, instructs_as: 'system' }

/**
 * Answers are asked for as streams, which tell at their end how many tokens they took. Models that do not know the one
 * or the other are asked without it from then on.
 */
export function openCompletions(outbound: Outbound): Complete {
  const known = new Map<string, Abilities>()

  function remember(model: string, abilities: Abilities): void {
    const [oldest] = known
    if (oldest !== undefined && known.size >= MAX_MODELS) known.delete(oldest[0])
    known.set(model, abilities)
  }

  return async (asked, signal) => {
    const { upstream } = asked
    const url = requestAddress(upstream.base_url, 'chat/completions')
    // One endpoint may stream one model and not another.
    const model = `${upstream.model_name} ${url}`
    const before = known.get(model) ?? ALL
    let abilities = before
    for (;;) {
      const response = await ask(outbound, url, asked, abilities, signal)
      if (response.status >= 200 && response.status < 300) {
        // Not before: the endpoint may have refused for another reason.
        if (abilities !== before) remember(model, abilities)
        return response
      }
      const text = await response.body.text(MAX_REFUSAL).catch(() => '')
      response.body.destroy()
      const isInstructed = asked.thread[0]?.role === 'system'
      const fewer = NOT_UNDERSTOOD.has(response.status) ? withoutRefused(abilities, text, isInstructed) : null
      if (fewer === null)
        throw ofAttachments(withContextLimit(refusalOfAnswer(response, text, upstream.model_name), text), text, asked)
      abilities = fewer
    }
  }
}

/** Without what a refusal names, in whatever words; null when it names nothing that can be left out. */
function withoutRefused(abilities: Abilities, refusal: string, isInstructed: boolean): Abilities | null {
  const { streams, usage } = abilities
  if (streams && usage && /stream_options|include_usage/i.test(refusal)) return { ...abilities, usage: false }
  if (isInstructed && isAboutRole(refusal)) return withOtherRole(abilities, refusal)
  return streams && /(?<![a-z])stream(?!_options)/i.test(refusal)
    ? { ...abilities, streams: false, usage: false }
    : null
}

/** "does not support 'system' with this model", "System role not supported", "Developer instruction is not enabled". */
const isAboutRole = (refusal: string): boolean =>
  /\b(?:system|developer)\b.{0,60}\b(?:role|message|instruction|prompt)|\brole\b.{0,80}\b(?:system|developer)\b/is.test(
    refusal,
  )

function withOtherRole(abilities: Abilities, refusal: string): Abilities | null {
  if (abilities.instructs_as === 'user') return null
  const asDeveloper = abilities.instructs_as === 'system' && /\bdeveloper\b/i.test(refusal)
  return { ...abilities, instructs_as: asDeveloper ? 'developer' : 'user' }
}

function ask(
  outbound: Outbound,
  url: string,
  { question, thread, attached, upstream }: ProviderAsk,
  { streams, usage, instructs_as }: Abilities,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const total_timeout_ms = upstream.ask_timeout * 1000
  const body = requestBody({
    ...upstream.request_fields,
    ...requestParameters(question, upstream),
    model: upstream.model_name,
    messages: instructedAs(instructs_as, toUpstream(thread, question.continues, attached)),
    stream: streams,
    ...(usage && USAGE),
  })
  const answered = outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: streams ? 'text/event-stream' : 'application/json',
      ...keyHeaders(upstream),
    },
    body,
    connect_timeout_ms: upstream.connect_timeout * 1000,
    // An answer that is not streamed comes when it is whole.
    first_byte_timeout_ms: streams ? upstream.first_token_timeout * 1000 : total_timeout_ms,
    keeps_first_byte_deadline: streams,
    idle_timeout_ms: streams ? upstream.read_timeout * 1000 : total_timeout_ms,
    total_timeout_ms,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
  // An endpoint that has answered reads no more of what it was sent.
  if (typeof body === 'object') void answered.catch(() => undefined).then(() => body.content.destroy())
  return answered
}

/** How hard the model is to think is said in the fields that it knows. */
function requestParameters({ parameters }: Question, { thinking_fields }: ProviderUpstream): Record<string, unknown> {
  const { reasoning_effort, ...others } = parameters
  if (reasoning_effort === undefined) return others
  return { ...others, ...(thinking_fields?.[reasoning_effort] ?? { reasoning_effort }) }
}
