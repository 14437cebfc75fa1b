import type { Dialect } from '#contract/gateway.ts'
import { requestAddress } from '#contract/settings.ts'
import type { Outbound, OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import { keyHeaders, type ProviderEndpoint } from '../../endpoint.ts'
import { isFields } from '../../looseJson.ts'
import type { ProviderRelay } from '../../provider.ts'
import { type RelayKind, relayKind } from '../../relay.ts'
import { type OutputAbility, outputFields } from '../outputLimit.ts'

const PATHS = {
  chat: 'chat/completions',
  responses: 'responses',
  messages: 'messages',
  embeddings: 'embeddings',
} as const satisfies Record<RelayKind, string>

/** The version of messages where the tool names none. */
const ANTHROPIC_VERSION = '2023-06-01'

/** What an endpoint takes beside what the tool sends. */
export type RelayAbilities = { usage: boolean; output: OutputAbility }

export const relayAddress = ({ base_url }: Pick<ProviderEndpoint, 'base_url'>, kind: RelayKind): string =>
  requestAddress(base_url, PATHS[kind])

/** Sends a request on; resolves when the upstream begins to answer. */
export function sendOn(
  outbound: Outbound,
  asked: ProviderRelay,
  abilities: RelayAbilities,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { form, streamed, upstream } = asked
  const total_timeout_ms = upstream.ask_timeout * 1000
  return outbound.request({
    method: 'POST',
    url: relayAddress(upstream, relayKind(form)),
    headers: {
      'content-type': 'application/json',
      accept: streamed ? 'text/event-stream' : 'application/json',
      ...dialectHeaders(form.dialect, upstream, form.headers),
    },
    body: JSON.stringify(sentBody(asked, abilities)),
    connect_timeout_ms: upstream.connect_timeout * 1000,
    // An answer that is not streamed comes when it is whole.
    first_byte_timeout_ms: streamed ? upstream.first_token_timeout * 1000 : total_timeout_ms,
    keeps_first_byte_deadline: streamed,
    idle_timeout_ms: streamed ? upstream.read_timeout * 1000 : total_timeout_ms,
    total_timeout_ms,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
}

/**
 * The headers of a dialect, with the key. Anthropic wants it in a header of its own, and refuses one that comes twice;
 * others that speak its dialect take the one or the other.
 */
export function dialectHeaders(
  dialect: Dialect,
  endpoint: ProviderEndpoint,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (dialect !== 'messages') return { ...given, ...keyHeaders(endpoint) }
  const { key, key_header, base_url } = endpoint
  const named = { 'anthropic-version': ANTHROPIC_VERSION, ...given }
  if (key === null || key_header !== null) return { ...named, ...keyHeaders(endpoint) }
  const isAnthropic = URL.canParse(base_url) && /(?:^|\.)anthropic\.com$/.test(new URL(base_url).hostname)
  return { ...named, 'x-api-key': key, ...(!isAnthropic && keyHeaders(endpoint)) }
}

/** The body as it came, with the name of the model, and what metering and limits need. */
export function sentBody(
  { form: { dialect, embeddings, body }, streamed, max_output_tokens, upstream }: ProviderRelay,
  { usage, output }: RelayAbilities,
): Record<string, unknown> {
  const named = { ...body, model: upstream.model_name }
  if (embeddings === true) return named
  switch (dialect) {
    case 'chat': {
      const { stream_options } = body
      return {
        // What is set of the model stands behind what the tool says.
        ...upstream.request_fields,
        ...named,
        ...outputFields(max_output_tokens, output, numbersIn(body)),
        ...(streamed &&
          usage && { stream_options: { ...(isFields(stream_options) && stream_options), include_usage: true } }),
      }
    }
    case 'responses':
      return { ...named, ...lowered(body, 'max_output_tokens', max_output_tokens), store: false }
    case 'messages':
      return { ...named, ...lowered(body, 'max_tokens', max_output_tokens), ...lessThought(body, max_output_tokens) }
  }
}

/** The bound of the answer, where it has to be lower than what the tool wants. */
function lowered(body: ProviderRelay['form']['body'], name: string, most: number | null): Record<string, number> {
  const wanted = numberIn(body[name])
  return most === null || (wanted !== null && wanted <= most) ? {} : { [name]: most }
}

/** Anthropic refuses fewer. */
const MIN_THOUGHT = 1_024

/** Thoughts are a part of the answer: where their budget has no room in its bound, there are fewer, or none. */
function lessThought({ thinking }: ProviderRelay['form']['body'], most: number | null): Record<string, unknown> {
  const budget = isFields(thinking) ? numberIn(thinking['budget_tokens']) : null
  if (!isFields(thinking) || most === null || budget === null || budget < most) return {}
  if (most <= MIN_THOUGHT) return { thinking: { type: 'disabled' } }
  return { thinking: { ...thinking, budget_tokens: Math.max(MIN_THOUGHT, Math.floor(most / 2)) } }
}

/** A number, also one that is kept as it was written. */
function numberIn(value: unknown): number | null {
  const written = isFields(value) ? value['rawJSON'] : value
  const number = typeof written === 'string' && written.trim() !== '' ? Number(written) : written
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const numbersIn = (body: ProviderRelay['form']['body']): Record<string, number> =>
  Object.fromEntries(
    ['max_tokens', 'max_completion_tokens'].flatMap(name => {
      const number = numberIn(body[name])
      return number === null ? [] : [[name, number] as const]
    }),
  )

/** Whether a refusal may be about a field that the tool has not sent. */
export const addsUsage = ({ form: { dialect, body }, streamed }: ProviderRelay): boolean =>
  dialect === 'chat' && streamed && !isFields(body['stream_options'])

export const boundOf = (asked: ProviderRelay, { output }: RelayAbilities): number | null =>
  relayKind(asked.form) !== 'chat' || asked.max_output_tokens === null
    ? null
    : Math.min(asked.max_output_tokens, output.most)
