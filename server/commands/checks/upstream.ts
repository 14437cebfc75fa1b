import * as z from 'zod/mini'
import { requestAddress } from '#contract/baseAddress.ts'
import type { Configuration } from '#contract/configuration.ts'
import { enabledModels, upstreamName } from '#server/configuration/models.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound.ts'
import { keyHeaders } from '#server/providers/openai_api/keyHeaders.ts'
import { OPENAI_BASE_URL } from '#server/providers/upstreams.ts'
import { type Finding, good, wrong } from './finding.ts'

const Models = z.object({ data: z.array(z.object({ id: z.string() })) })
const MAX_ANSWER = 4_000_000 // bytes

const ADDRESS = 'Look at openai_api.openai_base_url (OPENAI_BASE_URL): it goes as far as /v1/.'
const KEY = 'Look at the key (OPENAI_API_KEY, or the credentials on the administrators’ page).'

type Connection = { configuration: Configuration; key: string | null; outbound: Outbound }

/** Asks the endpoint for its models, as an ask would go there. */
export async function checkUpstream({ configuration, key, outbound }: Connection): Promise<Finding[]> {
  const { openai_api } = configuration
  if (!openai_api.enabled) return [good('upstream', 'openai_api is switched off')]
  if (openai_api.openai_base_url === null && key === null) {
    return [good('upstream', 'the built-in demonstration answers; OPENAI_API_KEY or OPENAI_BASE_URL connects a real one')]
  }
  const base_url = openai_api.openai_base_url ?? OPENAI_BASE_URL
  const timeout = openai_api.read_timeout * 1_000
  try {
    const answer = await outbound.request({
      method: 'GET', url: requestAddress(base_url, 'models'), addresses: 'any', proxy: openai_api.proxy,
      headers: keyHeaders({ key, key_header: openai_api.key_header || null }),
      connect_timeout_ms: openai_api.connect_timeout * 1_000, first_byte_timeout_ms: timeout, idle_timeout_ms: timeout, total_timeout_ms: 2 * timeout,
    })
    if (answer.status === 200) return judged(configuration, base_url, await answer.body.text(MAX_ANSWER))
    answer.body.destroy()
    return [ofStatus(answer.status, base_url, key)]
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw cause
    return [wrong('upstream', `${base_url} cannot be reached (${cause.kind.replaceAll('_', ' ')})`,
      `See that it runs and that this machine can reach it${openai_api.proxy === null ? '' : ` through the proxy ${openai_api.proxy}`}. ${ADDRESS}`)]
  }
}

function ofStatus(status: number, base_url: string, key: string | null): Finding {
  if (status === 401 || status === 403) {
    return wrong('upstream', key === null ? `${base_url} wants a key and none is set` : `${base_url} does not accept the key (${status})`, KEY)
  }
  if (status === 404 || status === 405) return wrong('upstream', `${base_url} has no list of models (${status})`, ADDRESS)
  if (status === 429) return wrong('upstream', 'the account has no requests left at the moment (429)', 'Wait, or look at the plan and the billing of the account.')
  return wrong('upstream', `${base_url} answers with status ${status}`, 'Try again later; if it stays so, ask whoever runs the endpoint.')
}

/** Endpoints differ in what they list, so a model that is not listed is told of and no more. */
function judged(configuration: Configuration, base_url: string, text: string): Finding[] {
  const listed = modelsIn(text)
  if (listed === null) return [wrong('upstream', `${base_url} answers, but not as an OpenAI-compatible endpoint does`, ADDRESS)]
  const missing = enabledModels(configuration, 'openai_api')
    .map(({ code }) => upstreamName(configuration, 'openai_api', code))
    .filter(name => name !== null && !listed.includes(name))
  return [
    good('upstream', `${base_url} answers and lists ${listed.length} models`),
    ...(missing.length === 0 ? [] : [good('models', `not in its list, so asking them may fail: ${missing.join(', ')}`)]),
  ]
}

function modelsIn(text: string): string[] | null {
  try {
    return Models.parse(JSON.parse(text)).data.map(model => model.id)
  } catch {
    return null
  }
}
