import { saidIn } from '#server/providers/openai_api/content.ts'
import { finishOf, type Finish } from '#server/providers/openai_api/chunks.ts'
import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import type { AnswerError } from './translated.ts'

/** A call of a tool. Its name and id may come later than the call itself. */
export type ReadCall = { index: number | null; id: string; name: string }

/** What is new of an answer. Of a call, `text` is a piece of its arguments. */
export type AnswerPart =
  | { kind: 'thoughts' | 'text' | 'refusal'; text: string }
  | { kind: 'call'; call: ReadCall; text: string }

export type ChatUsage = { input: number; cached: number; output: number; reasoning: number }

export type ChatNews = {
  parts: AnswerPart[]
  finish: Finish | null
  usage: ChatUsage | null
  error: AnswerError | null
}

/**
 * Reads chunks of a chat, or a whole answer as one. Upstreams differ: missing or odd fields are left out, and of
 * several choices the first that comes is read.
 */
export function chatReader() {
  const callsRead = chatCalls()
  let choice: number | null = null
  let hasSaid = false

  function partsOf(message: unknown): AnswerPart[] {
    const refusal = fieldOf(message, 'refusal')
    const isRefusal = typeof refusal === 'string' && refusal !== ''
    const { text, thoughts } = saidIn(isRefusal && isFields(message) ? { ...message, refusal: null } : message)
    const said: AnswerPart[] = [
      { kind: 'thoughts', text: thoughts },
      { kind: 'text', text },
      { kind: 'refusal', text: isRefusal ? refusal : '' },
    ]
    return [...said.filter(part => part.text !== ''), ...callsRead.partsOf(message)]
  }

  /** Some send the whole message behind its pieces: it says nothing new. */
  function newsOf(given: unknown): AnswerPart[] {
    const delta = fieldOf(given, 'delta')
    if (isFields(delta)) return partsOf(delta)
    return hasSaid ? [] : partsOf(fieldOf(given, 'message') ?? { content: fieldOf(given, 'text') })
  }

  return {
    read(chunk: unknown): ChatNews {
      const choices = fieldOf(chunk, 'choices')
      const given = (Array.isArray(choices) ? choices : []).find(each => choice === null || indexOf(each) === choice)
      if (given !== undefined) choice = indexOf(given)
      const parts = given === undefined ? [] : newsOf(given)
      hasSaid ||= parts.length > 0
      const reason = fieldOf(given, 'finish_reason')
      return {
        parts,
        finish: finishOf(reason),
        usage: usageOf(
          fieldOf(chunk, 'usage') ?? fieldOf(fieldOf(chunk, 'x_groq'), 'usage') ?? fieldOf(given, 'usage'),
        ),
        error:
          errorOf(fieldOf(chunk, 'error')) ?? errorOf(fieldOf(given, 'error')) ?? (reason === 'error' ? FAILED : null),
      }
    },
  }
}

const indexOf = (choice: unknown): number => {
  const index = fieldOf(choice, 'index')
  return typeof index === 'number' ? index : 0
}

/** Puts the pieces of calls together, by their index, their id, or neither. */
function chatCalls() {
  const calls: ReadCall[] = []
  const byId = new Map<string, ReadCall>()
  const byIndex = new Map<number, ReadCall>()

  function callOf(index: number | null, id: string, name: string): ReadCall {
    const known = id === '' ? undefined : byId.get(id)
    if (known !== undefined) return known
    const latest = index === null ? calls.at(-1) : byIndex.get(index)
    // Without a name it goes on: some give each piece another id. With one it is another call at the same index.
    const goesOn = latest !== undefined && (name === '' || latest.name === '' || (index !== null && id === ''))
    const call = goesOn && latest !== undefined ? latest : { index, id: '', name: '' }
    if (call !== latest) calls.push(call)
    if (call.id === '') call.id = id
    if (id !== '') byId.set(id, call)
    if (index !== null) byIndex.set(index, call)
    return call
  }

  return {
    partsOf(message: unknown): AnswerPart[] {
      const given = fieldOf(message, 'tool_calls')
      const legacy = fieldOf(message, 'function_call')
      const all = Array.isArray(given) ? given.filter(isFields) : isFields(legacy) ? [{ function: legacy }] : []
      return all.map(each => {
        const index = each['index']
        const name = textIn(fieldOf(each['function'], 'name'))
        const call = callOf(typeof index === 'number' ? index : null, textIn(each['id']), name)
        if (call.name === '') call.name = name
        return { kind: 'call', call, text: argumentsOf(fieldOf(each['function'], 'arguments')) }
      })
    },
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Some give an object in place of its JSON. */
const argumentsOf = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : textIn(value))

const FAILED: AnswerError = { message: 'The upstream failed in the middle of its answer', code: null }

function errorOf(error: unknown): AnswerError | null {
  if (error === undefined || error === null || error === false || error === '') return null
  if (typeof error === 'string') return { message: error, code: null }
  const [message, code, type] = ['message', 'code', 'type'].map(name => fieldOf(error, name))
  return { message: textIn(message) || FAILED.message, code: textIn(code) || textIn(type) || null }
}

function usageOf(usage: unknown): ChatUsage | null {
  if (!isFields(usage)) return null
  const input = firstCount(usage, ['prompt_tokens', 'input_tokens'])
  const output = firstCount(usage, ['completion_tokens', 'output_tokens'])
  if (input === null || output === null) return null
  const cached =
    countIn(usage['prompt_tokens_details'], 'cached_tokens') ??
    firstCount(usage, ['prompt_cache_hit_tokens', 'cached_tokens'])
  const reasoning = countIn(usage['completion_tokens_details'], 'reasoning_tokens')
  return { input, output, cached: Math.min(cached ?? 0, input), reasoning: Math.min(reasoning ?? 0, output) }
}

const firstCount = (usage: Fields, names: readonly string[]): number | null =>
  names.map(name => countIn(usage, name)).find(count => count !== null) ?? null

function countIn(value: unknown, name: string): number | null {
  const count = Number(fieldOf(value, name) ?? Number.NaN)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}
