import { firstKnown, type ModelCapabilities } from '#contract/models.ts'
import { requestAddress } from '#contract/settings.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { type ProviderEndpoint, keyHeaders } from '../endpoint.ts'
import { parsedInTurns } from '../jsonInTurns.ts'
import { capabilitiesOfLmStudio, capabilitiesOfOllama } from './capabilities.ts'

/** Programs whose list of models says little, while an API of their own says more. */
export type EndpointKind = 'ollama' | 'lmStudio'

/** Bytes of an answer: Ollama's has the whole license of the model. */
const MAX_ANSWER = 2_000_000
/** Models that Ollama is asked about, one after the other. */
const MAX_ASKED = 100
/** Milliseconds, for all of them. */
const DEADLINE = 10_000

type NativeRequest = { endpoint: ProviderEndpoint; kind: EndpointKind | null; signal: AbortSignal }

/** The models with what the program says of them in its own API. Where it says nothing they stay as they are listed. */
export async function withNativeCapabilities(
  outbound: Outbound,
  { endpoint, kind, signal }: NativeRequest,
  models: ListedModel[],
): Promise<ListedModel[]> {
  const root = kind === null ? null : rootOf(endpoint.base_url)
  if (root === null) return models
  const ask = asking(outbound, endpoint, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]))
  const known =
    kind === 'lmStudio'
      ? capabilitiesOfLmStudio(await ask(`${root}/api/v0/models`, null))
      : await shownByOllama(model => ask(`${root}/api/show`, { model }), models)
  signal.throwIfAborted()
  return models.map(model => ({ ...model, ...firstKnown(known.get(model.id) ?? model, model) }))
}

/** Asks until one request comes to nothing: the next would too. */
async function shownByOllama(
  show: (model: string) => Promise<unknown>,
  models: readonly ListedModel[],
): Promise<ReadonlyMap<string, ModelCapabilities>> {
  const known = new Map<string, ModelCapabilities>()
  for (const { id } of models.filter(({ for_chat }) => for_chat).slice(0, MAX_ASKED)) {
    const shown = await show(id)
    if (shown === undefined) break
    known.set(id, capabilitiesOfOllama(shown))
  }
  return known
}

/** The address above `/v1`; null where the endpoint is elsewhere, behind a gateway for instance. */
function rootOf(base_url: string): string | null {
  const { origin, pathname } = new URL(requestAddress(base_url, 'models'))
  return pathname.endsWith('/v1/models') ? `${origin}${pathname.slice(0, -'/v1/models'.length)}` : null
}

/** Undefined for anything but an answer in JSON. */
function asking(outbound: Outbound, endpoint: ProviderEndpoint, signal: AbortSignal) {
  const { proxy, addresses } = endpoint
  const deadlines = {
    connect_timeout_ms: DEADLINE,
    first_byte_timeout_ms: DEADLINE,
    idle_timeout_ms: DEADLINE,
    total_timeout_ms: DEADLINE,
  }
  return async (url: string, body: object | null): Promise<unknown> => {
    try {
      const answer = await outbound.request({
        method: body === null ? 'GET' : 'POST',
        url,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...keyHeaders(endpoint) },
        ...(body !== null && { body: JSON.stringify(body) }),
        ...{ proxy, addresses, signal, ...deadlines },
      })
      try {
        return answer.status === 200 ? await parsedInTurns(await answer.body.text(MAX_ANSWER)) : undefined
      } finally {
        answer.body.destroy()
      }
    } catch (cause) {
      if (cause instanceof OutboundFailure) return undefined
      throw cause
    }
  }
}
