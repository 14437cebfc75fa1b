import { requestAddress } from '#contract/settings.ts'
import type { Outbound, OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { withContextLimit } from '../contextLimit.ts'
import { keyHeaders } from '../endpoint.ts'
import type { ProviderAsk } from '../provider.ts'
import { refusalOfAnswer } from '../upstreamRefusal.ts'
import { ofAttachments } from '../attachmentRefusal.ts'
import { requestBody } from './requestBody.ts'
import { toUpstream } from './upstreamMessages.ts'

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
type Abilities = { streams: boolean; usage: boolean }
const ALL: Abilities = { streams: true, usage: true }

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
      const fewer: Abilities | null = NOT_UNDERSTOOD.has(response.status) ? withoutRefused(abilities, text) : null
      if (fewer === null)
        throw ofAttachments(withContextLimit(refusalOfAnswer(response, text, upstream.model_name), text), text, asked)
      abilities = fewer
    }
  }
}

/** Without what a refusal names, in whatever words; null when it names nothing that can be left out. */
function withoutRefused({ streams, usage }: Abilities, refusal: string): Abilities | null {
  if (streams && usage && /stream_options|include_usage/i.test(refusal)) return { streams, usage: false }
  return streams && /(?<![a-z])stream(?!_options)/i.test(refusal) ? { streams: false, usage: false } : null
}

function ask(
  outbound: Outbound,
  url: string,
  { question, thread, attached, upstream }: ProviderAsk,
  { streams, usage }: Abilities,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const total_timeout_ms = upstream.ask_timeout * 1000
  const body = requestBody({
    ...upstream.request_fields,
    ...question.parameters,
    model: upstream.model_name,
    messages: toUpstream(thread, question.continues, attached),
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
