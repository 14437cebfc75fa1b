import { requestAddress } from '#contract/settings.ts'
import { isInContext } from '#contract/context.ts'
import { type Message, textOf, withoutPictures } from '#contract/messages.ts'
import type { Outbound, OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { withContextLimit } from '../contextLimit.ts'
import { keyHeaders } from '../endpoint.ts'
import type { ProviderAsk } from '../provider.ts'
import { refusalOfAnswer } from '../upstreamRefusal.ts'

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
      if (fewer === null) throw withContextLimit(refusalOfAnswer(response, text, upstream.model_name), text)
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
  { question, thread, upstream }: ProviderAsk,
  { streams, usage }: Abilities,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const total_timeout_ms = upstream.ask_timeout * 1000
  return outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: streams ? 'text/event-stream' : 'application/json',
      ...keyHeaders(upstream),
    },
    body: JSON.stringify({
      ...upstream.request_fields,
      ...question.parameters,
      model: upstream.model_name,
      messages: toUpstream(thread, question.continues),
      stream: streams,
      ...(usage && USAGE),
    }),
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
}

/** Asks for more of an answer, where the source has no other way to; never shown. */
const GO_ON = 'Continue exactly where you stopped, without repeating anything.'

type UpstreamMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/**
 * A thread as the endpoint wants it. Messages without text (pictures, runs of tools) have nothing to say there, nor
 * have pictures within an answer, and what nobody said to anybody stays here. What the same side said in a row, as
 * after a failed answer or in a continued one, is one message: the templates of some models want the sides to take
 * turns. They also refuse a system message that is not the first, so that a later one is left out: it is a note of an
 * import, since nothing here writes any.
 */
export function toUpstream(thread: readonly Message[], continues = false): UpstreamMessage[] {
  const said: UpstreamMessage[] = []
  for (const message of thread) {
    const role = message.role === 'tool' ? ('assistant' as const) : message.role
    const content = role === 'assistant' ? withoutPictures(textOf(message)) : textOf(message)
    const before = said.at(-1)
    if (content === '' || !isInContext(message)) continue
    if (before?.role === role) before.content += `\n\n${content}`
    else if (role !== 'system' || before === undefined) said.push({ role, content })
  }
  if (continues) said.push({ role: 'user', content: GO_ON })
  return said
}
