import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { firstKnown } from '#contract/models.ts'
import { requestAddress } from '#contract/settings.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import { type Outbound, type OutboundAnswer, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type ProviderEndpoint, keyHeaders } from '../endpoint.ts'
import { parsedInTurns, fieldOf } from '../looseJson.ts'
import { errorIn, isPage } from '../upstreamErrors.ts'
import { refusalOfAnswer, refusalOfError, refusalOfFailure } from '../upstreamRefusal.ts'
import { listedPriceIn } from './listedPrice.ts'
import { capabilitiesIn, type EndpointKind, withNativeCapabilities } from './capabilities.ts'

/** Bytes: a hundred thousand entries of the usual size. */
const MAX_LIST = 16_000_000
/** Entries that are looked at, and how many of them before others have their turn. */
const MAX_ENTRIES = 100_000
const BATCH = 1_000
const MAX_REFUSAL = 20_000
/** Milliseconds, for the whole list. */
const DEADLINE = 10_000
const DEADLINES = {
  connect_timeout_ms: DEADLINE,
  first_byte_timeout_ms: DEADLINE,
  idle_timeout_ms: DEADLINE,
  total_timeout_ms: DEADLINE,
}
/** Characters of a name, as further_models has them. */
const MAX_NAME = 200
/** Statuses of an endpoint that has no list of models. */
const NO_LIST: ReadonlySet<number> = new Set([404, 405])

/**
 * What an endpoint answers when it is asked for its models: where the answer is no such list, `models` is null and
 * `refusal` says why.
 */
type ModelsAnswer = { status: number; models: ListedModel[] | null; kind: EndpointKind | null; refusal: Refusal | null }

/** Asks an endpoint for its models, as an ask would go there. Throws an OutboundFailure when it cannot be asked. */
export async function askForModels(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  signal?: AbortSignal,
): Promise<ModelsAnswer> {
  const { base_url, proxy, addresses } = endpoint
  const answer = await outbound.request({
    method: 'GET',
    url: requestAddress(base_url, 'models'),
    headers: { accept: 'application/json', ...keyHeaders(endpoint) },
    proxy,
    addresses,
    signal,
    ...DEADLINES,
  })
  try {
    const { status } = answer
    if (status !== 200) {
      const text = await answer.body.text(MAX_REFUSAL).catch(() => '')
      return { status, models: null, kind: null, refusal: refusalOfAnswer(answer, text) }
    }
    const text = await answer.body.text(MAX_LIST)
    const list = await listIn(text)
    if (list === null) return { status, models: null, kind: null, refusal: await saidInstead(answer, text) }
    return { status, ...list, refusal: null }
  } finally {
    answer.body.destroy()
  }
}

/** Resolves when an endpoint answers and takes the key; else it is refused as an ask would be. */
export async function testEndpoint(outbound: Outbound, endpoint: ProviderEndpoint, signal: AbortSignal): Promise<void> {
  try {
    const { status, refusal } = await askForModels(outbound, endpoint, signal)
    if (refusal === null || (NO_LIST.has(status) && (await knowsQuestions(outbound, endpoint, signal)))) return
    throw refusal
  } catch (cause) {
    throw ofList(cause)
  }
}

/**
 * Whether questions are answered where no list of models is (a deployment of Azure, say): one that lacks everything is
 * refused as such, and costs nothing.
 */
export async function knowsQuestions(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  signal?: AbortSignal,
): Promise<boolean> {
  const { base_url, proxy, addresses } = endpoint
  const { status, body } = await outbound.request({
    method: 'POST',
    url: requestAddress(base_url, 'chat/completions'),
    headers: { 'content-type': 'application/json', ...keyHeaders(endpoint) },
    body: '{}',
    proxy,
    addresses,
    signal,
    ...DEADLINES,
  })
  body.destroy()
  return status === 400 || status === 422
}

/** The models of an endpoint; whatever goes wrong is a refusal. */
export async function readModels(
  outbound: Outbound,
  endpoint: ProviderEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  try {
    const { models, kind, refusal } = await askForModels(outbound, endpoint, signal)
    if (refusal !== null) throw refusal
    return await withNativeCapabilities(outbound, { endpoint, kind, signal }, models ?? [])
  } catch (cause) {
    throw ofList(cause)
  }
}

/** A page, an error, or anything else that came with a good status in place of the list. */
async function saidInstead(answer: OutboundAnswer, text: string): Promise<Refusal> {
  if (isPage(text)) return refusalOfAnswer(answer, text)
  const error = errorIn(await parsedInTurns(text), false)
  const refusal = error === null ? null : refusalOfError(error, { promised: answer.status, hasText: false })
  return refusal === null || refusal.key === 'openai.cutOff'
    ? new Refusal('openai.unknown', { reason: 'models' })
    : refusal
}

/** A refusal without a setting: the deadline of a list is none. */
const ofList = (cause: unknown): unknown =>
  cause instanceof OutboundFailure ? new Refusal(refusalOfFailure(cause).key, {}, { cause }) : cause

type ModelList = { models: ListedModel[]; kind: EndpointKind | null }

/** The list in an answer, each model once, in the endpoint's order. null for anything that is no list. */
export async function listIn(text: string): Promise<ModelList | null> {
  const answer = await parsedInTurns(text.replace(/^\uFEFF/, ''))
  const entries = entriesIn(answer)
  if (entries === null) return null
  const others = entriesByName(fieldOf(answer, 'models'))
  const models = new Map<string, ListedModel>()
  for (const [at, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    if (at % BATCH === BATCH - 1) await nextMacrotask()
    const id = nameIn(entry)
    if (id === null || !isName(id) || models.has(id)) continue
    const capabilities = firstKnown(capabilitiesIn(entry), capabilitiesIn(others.get(id)))
    const price = listedPriceIn(entry)
    const for_chat = isForChat(id) && !saysOtherwise(entry)
    models.set(id, { id, ...capabilities, for_chat, ...(price !== null && { price }) })
  }
  return { models: [...models.values()], kind: kindOf(entries) }
}

const nameIn = (entry: unknown): string | null =>
  [entry, fieldOf(entry, 'id'), fieldOf(entry, 'name'), fieldOf(entry, 'model')].find(
    each => typeof each === 'string',
  ) ?? null

/** llama.cpp has a second list of the same models, which says what they can do. */
const MAX_OTHERS = 1_000
const entriesByName = (list: unknown): ReadonlyMap<unknown, unknown> =>
  new Map(Array.isArray(list) ? list.slice(0, MAX_OTHERS).map(entry => [nameIn(entry), entry]) : [])

/** Programs that say more of their models elsewhere, by whom they name as the owner of these. */
function kindOf(entries: readonly unknown[]): EndpointKind | null {
  const owners = new Set(entries.slice(0, MAX_OTHERS).map(entry => fieldOf(entry, 'owned_by')))
  return owners.has('library') ? 'ollama' : owners.has('organization_owner') ? 'lmStudio' : null
}

/** OpenAI's form; a bare list (Together); `models` alone (gateways). Ollama without any model says `"data": null`. */
function entriesIn(answer: unknown): unknown[] | null {
  const found = [answer, fieldOf(answer, 'data'), fieldOf(answer, 'models')].find(Array.isArray)
  return found ?? (fieldOf(answer, 'data') === null ? [] : null)
}

/** Shown and sent as it is, so nothing in it may be invisible, or be no text. */
function isName(id: string): boolean {
  return id.trim() === id && id !== '' && id.length <= MAX_NAME && id.isWellFormed() && !/\p{C}/u.test(id)
}

/** Some endpoints say what a model is for (Azure, Mistral, OpenRouter, Together). */
function saysOtherwise(entry: unknown): boolean {
  const abilities = fieldOf(entry, 'capabilities')
  const outputs = fieldOf(fieldOf(entry, 'architecture'), 'output_modalities')
  const type = fieldOf(entry, 'type')
  return (
    [fieldOf(abilities, 'chat_completion'), fieldOf(abilities, 'completion_chat')].includes(false) ||
    (Array.isArray(outputs) && outputs.length > 0 && !outputs.includes('text')) ||
    (typeof type === 'string' && !isForChat(type.slice(0, MAX_NAME)))
  )
}

/**
 * Words in the names of models that do not chat, by what the models are for. Each is compared with a whole word of a
 * name.
 */
const OTHER_KINDS = {
  search: String.raw`embed\w*|bge|gte|e5|m3e|minilm|colbert|voyage|rerank\w*`,
  sound: String.raw`whisper\w*|transcri\w*|asr|stt|tts|speech|voice|audio|realtime|cosyvoice\w*|sensevoice|kokoro|parakeet`,
  pictures: String.raw`images?|imagen\d*|dall|dalle\d*|diffusion|sd3|sdxl|flux\d*|cogview\w*|kolors|t2i|midjourney`,
  films: String.raw`sora\d*|veo\d*|video|t2v|i2v`,
  moderation: String.raw`moderat\w*|guard[234]?|guardian`,
  completion: 'davinci|babbage',
}
const OTHER_KIND = new RegExp(`^(?:${Object.values(OTHER_KINDS).join('|')})$`)

/** Whether the name is one of a model that answers questions, as far as a name can tell. */
export function isForChat(id: string): boolean {
  const words = id.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return !words.some(word => OTHER_KIND.test(word)) && !id.startsWith('gpt-3.5-turbo-instruct')
}
