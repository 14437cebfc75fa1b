import {
  CONTEXT,
  firstKnown,
  MAX_THINKING_LEVELS,
  type ModelCapabilities,
  ThinkingLevel,
  UNKNOWN_CAPABILITIES,
} from '#contract/models.ts'
import { requestAddress } from '#contract/settings.ts'
import type { ListedModel } from '#server/configuration/models.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { type ProviderEndpoint, keyHeaders } from '../endpoint.ts'
import { fieldOf, parsedInTurns } from '../looseJson.ts'

/** What an endpoint takes that knows how hard to think, and does not say which levels it has. */
const USUAL_LEVELS: readonly string[] = ['low', 'medium', 'high']
/** Words of a list that are looked at. */
const MAX_WORDS = 100

/**
 * What an entry of `GET models` says of a model. Endpoints name it differently; docs/endpoints.md has who says what.
 */
export function capabilitiesIn(entry: unknown): ModelCapabilities {
  const inputs = wordsIn(
    fieldOf(fieldOf(entry, 'architecture'), 'input_modalities'), // OpenRouter, Hugging Face
    fieldOf(entry, 'input_modalities'),
    fieldOf(entry, 'supported_input_modalities'), // GitHub Models
  )
  return firstKnown(
    {
      takes_pictures: has(inputs, 'image'),
      takes_files: has(inputs, 'file', 'pdf', 'document'),
      uses_tools: has(wordsIn(fieldOf(entry, 'supported_parameters')), 'tools'), // OpenRouter
      context_length: contextLength(entry),
      thinking_levels: levelsOfParameters(entry),
    },
    ofFlags(entry),
    ofInfo(fieldOf(entry, 'model_info')),
    ofWords(wordsIn(fieldOf(entry, 'capabilities'))),
  )
}

/** Mistral: `capabilities` with a flag each. Fireworks: flags of the entry itself. */
function ofFlags(entry: unknown): ModelCapabilities {
  const flags = fieldOf(entry, 'capabilities')
  return {
    ...UNKNOWN_CAPABILITIES,
    takes_pictures: flag(fieldOf(flags, 'vision'), fieldOf(entry, 'supports_image_input')),
    uses_tools: flag(fieldOf(flags, 'function_calling'), fieldOf(entry, 'supports_tools')),
  }
}

/** LiteLLM: what its own list of models knows. */
function ofInfo(info: unknown): ModelCapabilities {
  return {
    takes_pictures: flag(fieldOf(info, 'supports_vision')),
    takes_files: flag(fieldOf(info, 'supports_pdf_input')),
    uses_tools: flag(fieldOf(info, 'supports_function_calling')),
    context_length: smallest([fieldOf(info, 'max_input_tokens')]),
    thinking_levels: levelsWhen(flag(fieldOf(info, 'supports_reasoning'))),
  }
}

/** `capabilities` as words (llama.cpp, GitHub Models). What is not among them may be there all the same. */
function ofWords(words: readonly string[] | null): ModelCapabilities {
  const knows = (...any: string[]): true | null => (has(words, ...any) === true ? true : null)
  return {
    ...UNKNOWN_CAPABILITIES,
    takes_pictures: knows('vision', 'multimodal', 'image'),
    uses_tools: knows('tools', 'tool_use', 'tool-calling', 'function_calling'),
    thinking_levels: levelsWhen(knows('thinking', 'reasoning')),
  }
}

/** Ollama's answer to `POST /api/show`, whose words are all that the model can do. */
export function capabilitiesOfOllama(shown: unknown): ModelCapabilities {
  const words = wordsIn(fieldOf(shown, 'capabilities'))
  const info = fieldOf(shown, 'model_info')
  const family = fieldOf(info, 'general.architecture')
  const parameters = fieldOf(shown, 'parameters')
  const set = typeof parameters === 'string' ? /^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1] : undefined
  const named = levelsIn(fieldOf(fieldOf(shown, 'thinking'), 'values'))
  return {
    ...UNKNOWN_CAPABILITIES,
    takes_pictures: has(words, 'vision'),
    uses_tools: has(words, 'tools'),
    context_length: smallest([
      typeof family === 'string' ? fieldOf(info, `${family}.context_length`) : null,
      set === undefined ? null : Number(set),
    ]),
    thinking_levels: named !== null && named.length > 0 ? named : levelsWhen(has(words, 'thinking')),
  }
}

/** LM Studio's answer to `GET /api/v0/models`: by the names of its models. */
export function capabilitiesOfLmStudio(answer: unknown): ReadonlyMap<string, ModelCapabilities> {
  const entries = fieldOf(answer, 'data')
  const known = new Map<string, ModelCapabilities>()
  for (const entry of Array.isArray(entries) ? entries : []) {
    const [id, type, words] = [fieldOf(entry, 'id'), fieldOf(entry, 'type'), wordsIn(fieldOf(entry, 'capabilities'))]
    if (typeof id !== 'string' || known.has(id)) continue
    known.set(id, {
      ...UNKNOWN_CAPABILITIES,
      takes_pictures: type === 'vlm' ? true : type === 'llm' ? false : null,
      uses_tools: has(words, 'tool_use'),
      context_length: contextLength(entry),
    })
  }
  return known
}

/** Of several numbers the smallest is what surely fits. */
function contextLength(entry: unknown): number | null {
  const meta = fieldOf(entry, 'meta')
  return smallest([
    fieldOf(entry, 'context_length'),
    fieldOf(entry, 'max_model_len'), // vLLM
    fieldOf(entry, 'context_window'), // Groq
    fieldOf(entry, 'max_context_length'), // Mistral, LM Studio
    fieldOf(entry, 'loaded_context_length'),
    fieldOf(entry, 'n_ctx'),
    fieldOf(meta, 'n_ctx'), // llama.cpp
    fieldOf(meta, 'n_ctx_train'),
    fieldOf(fieldOf(entry, 'metadata'), 'context_length'), // DeepInfra
    fieldOf(fieldOf(entry, 'top_provider'), 'context_length'), // OpenRouter
  ])
}

function smallest(given: readonly unknown[]): number | null {
  const plausible = given.filter(
    (each): each is number =>
      typeof each === 'number' && Number.isInteger(each) && each >= CONTEXT.min && each <= CONTEXT.max,
  )
  return plausible.length === 0 ? null : Math.min(...plausible)
}

/** OpenRouter: `reasoning` has the levels where they are known, `supported_parameters` whether there are any. */
function levelsOfParameters(entry: unknown): string[] | null {
  const named = levelsIn(fieldOf(fieldOf(entry, 'reasoning'), 'supported_efforts'))
  if (named !== null && named.length > 0) return named
  return levelsWhen(has(wordsIn(fieldOf(entry, 'supported_parameters')), 'reasoning', 'reasoning_effort'))
}

/** The levels in a list, from the least on where they are the usual ones. */
function levelsIn(value: unknown): string[] | null {
  const words = wordsIn(value)
  if (words === null) return null
  const levels = [...new Set(words)].filter(word => ThinkingLevel.safeParse(word).success).slice(0, MAX_THINKING_LEVELS)
  return ORDER.filter(level => levels.includes(level)).concat(levels.filter(level => !ORDER.includes(level)))
}
const ORDER: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const levelsWhen = (thinks: boolean | null): string[] | null =>
  thinks === null ? null : thinks ? [...USUAL_LEVELS] : []

/** The words of the first that is a list; null where none is. */
function wordsIn(...given: readonly unknown[]): string[] | null {
  const list = given.find(each => Array.isArray(each) && each.length > 0)
  if (!Array.isArray(list)) return null
  return list.slice(0, MAX_WORDS).filter(word => typeof word === 'string')
}

const has = (words: readonly string[] | null, ...any: readonly string[]): boolean | null =>
  words === null ? null : any.some(word => words.includes(word))

const flag = (...given: readonly unknown[]): boolean | null =>
  given.find((each): each is boolean => typeof each === 'boolean') ?? null

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
