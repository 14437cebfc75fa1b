import { textOf } from '#contract/messages.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import type { Provider, ProviderAsk, ProviderEvent } from '../provider.ts'
import { type DeadlineSettings, refusalOfFailure } from '../upstreamRefusal.ts'
import { askBody } from './askBody.ts'
import { codesOf } from './message.ts'
import { webPorts } from './ports.ts'
import { webAddress, webHeaders } from './reach.ts'
import { replyReader } from './replyReader.ts'
import { refusalOfAnswer } from './request.ts'
import { webStorage } from './storage.ts'
import { webAnswer } from './webAnswer.ts'

/** Bytes of a refusal that are looked through for what it means. */
const LONGEST_REFUSAL = 20_000

/** The deadlines of an answer. */
const SETTINGS: DeadlineSettings = {
  connect: 'openai_web.common_timeout',
  first_byte: 'openai_web.ask_timeout',
  idle: 'openai_web.ask_timeout',
  total: 'openai_web.ask_timeout',
}

/** The web service, which keeps conversations itself (docs/protocol.md). */
export function openaiWebProvider(outbound: Outbound): Provider {
  return {
    reply: (asked, emit, signal) => reply(outbound, asked, emit, signal),
    ...webPorts(outbound),
    ...webStorage(outbound),
  }
}

async function reply(
  outbound: Outbound,
  asked: ProviderAsk,
  emit: (event: ProviderEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { upstream } = asked
  const answer = webAnswer(toAsked(asked), emit)
  const reader = replyReader(answer, upstream.max_answer_length, emit)
  let response: OutboundAnswer | null = null
  try {
    response = await ask(outbound, asked, signal)
    const { body } = response
    const failure = await brokenOff(
      body.each(chunk => {
        const read = reader.take(chunk)
        if (reader.hasBegun()) body.useIdleDeadline()
        return read
      }),
    )
    if (signal.aborted) return
    const refusal = reader.end(response)
    answer.end()
    if (failure !== null && !reader.isWhole()) throw failure
    if (refusal !== null) throw refusal
  } catch (cause) {
    // A stop is no failure: what has arrived is the answer.
    if (signal.aborted) return
    throw cause instanceof OutboundFailure ? refusalOfFailure(cause, SETTINGS) : cause
  } finally {
    answer.flush()
    response?.body.destroy()
  }
}

/** What the answer has to know of the ask. */
function toAsked({ question, thread, upstream }: ProviderAsk): Parameters<typeof webAnswer>[0] {
  const last = thread.at(-1)
  const asked = question.continues ? undefined : last
  const codeOf = codesOf(upstream.web?.model_code_mapping)
  return {
    question,
    question_id: asked?.id ?? null,
    text: asked === undefined ? '' : textOf(asked),
    parents: new Map(thread.map(({ id, parent }) => [id, parent])),
    codeOf: slug => (slug === upstream.model_name ? question.model : codeOf(slug)),
    most: upstream.max_answer_length,
  }
}

/** Resolves when the upstream begins to answer; whatever it refuses with is thrown as a refusal. */
async function ask(outbound: Outbound, asked: ProviderAsk, signal: AbortSignal): Promise<OutboundAnswer> {
  const { question, upstream } = asked
  const response = await outbound.request({
    method: 'POST',
    url: webAddress(upstream.base_url, 'conversation'),
    headers: {
      ...webHeaders(upstream),
      accept: 'text/event-stream',
      ...(question.arkose_token !== null && { 'openai-sentinel-arkose-token': question.arkose_token }),
    },
    body: JSON.stringify(askBody(asked)),
    connect_timeout_ms: upstream.connect_timeout * 1000,
    first_byte_timeout_ms: upstream.first_token_timeout * 1000,
    keeps_first_byte_deadline: true,
    idle_timeout_ms: upstream.read_timeout * 1000,
    total_timeout_ms: upstream.ask_timeout * 1000,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
  if (response.status >= 200 && response.status < 300) return response
  const text = await response.body.text(LONGEST_REFUSAL).catch(() => '')
  response.body.destroy()
  throw refusalOfAnswer(response, text)
}

/** What broke something off; null where it came to its end. */
async function brokenOff(done: Promise<void>): Promise<OutboundFailure | null> {
  try {
    await done
    return null
  } catch (cause) {
    if (cause instanceof OutboundFailure) return cause
    throw cause
  }
}
