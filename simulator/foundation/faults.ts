/** Forms in which upstreams report an error inside an answer. */
export const ERROR_SHAPES = ['top', 'choice', 'event', 'event_plain', 'field', 'line'] as const
type ErrorShape = (typeof ERROR_SHAPES)[number]

/** Fields in which upstreams send thoughts. */
export const THOUGHT_SHAPES = [
  'reasoning_content',
  'reasoning',
  'details',
  'parts',
  'think',
  'think_open',
  'think_close',
] as const
type ThoughtShape = (typeof THOUGHT_SHAPES)[number]

/** Complete answers whose form differs from the documentation. */
export const FORMS = [
  'json',
  'message',
  'single_newlines',
  'gzip',
  'parts',
  'second_choice',
  'refusal',
  'citations',
  'picture',
  'picture_part',
  'picture_text',
  'picture_link',
] as const
export type Form = (typeof FORMS)[number]

/** Refusals by their code, with their status. */
export const REFUSALS = {
  content_filter: 400,
  context_length_exceeded: 400,
  insufficient_quota: 429,
  insufficient_balance: 402,
  model_not_found: 404,
  no_pictures: 400,
  too_many_pictures: 400,
  picture_too_large: 400,
} as const
export type RefusalCode = keyof typeof REFUSALS

export function oneOf<T extends string>(known: readonly T[], given: unknown): T | undefined {
  return known.find(each => each === given)
}

/** A fault on request. `after_tokens` counts the tokens that arrive before it. */
export type Fault =
  | { kind: 'status'; status: number; code?: RefusalCode; retry_after_seconds?: number; body?: string }
  | { kind: 'slow_first_byte'; delay_ms: number }
  | { kind: 'stall' | 'cut' | 'malformed'; after_tokens: number }
  | { kind: 'silence' | 'huge_line' | 'no_done' | 'odd' }
  /** Headers and role at once, then comments; the first token is late. */
  | { kind: 'slow_first_token'; delay_ms: number }
  /** The finish reason of the answer. With null and without `done` the body just ends. */
  | { kind: 'finish'; after_tokens: number; reason: string | null; done: boolean }
  | { kind: 'error'; after_tokens: number; shape: ErrorShape; code: string; message: string }
  /** Thoughts before the answer; `only`: in place of it. */
  | { kind: 'thoughts'; shape: ThoughtShape; text: string; only: boolean }
  | { kind: 'form'; form: Form }
  /** Refuses streaming, or the usage of a stream, whenever it is requested. */
  | { kind: 'no_stream' | 'no_usage' }

const DEFAULT_AFTER_TOKENS = 5
const DEFAULT_DELAY_MS = 5_000
const DEFAULT_THOUGHTS = 'Let me think about that.\nIt is simple.'

/** Queue of faults and answers for the coming requests, first in, first out. */
export function openFaults() {
  const waiting: Fault[] = []
  return {
    add: (fault: Fault, times = 1) => {
      for (let made = 0; made < times; made += 1) waiting.push(fault)
    },
    take: () => waiting.shift(),
    clear: () => {
      waiting.length = 0
    },
  }
}

/** Builds a fault from the words of a directive or a control call; undefined when there is no such fault. */
export function faultFrom(kind: string, given: Record<string, unknown>): Fault | undefined {
  const after_tokens = countFrom(given.after_tokens ?? given.after, DEFAULT_AFTER_TOKENS)
  const status = /^\d{3}$/.test(kind) ? Number(kind) : countFrom(given.status, 0)
  if (/^\d{3}$/.test(kind) || kind === 'status')
    return status >= 400 && status <= 599 ? statusFault(status, given) : undefined
  switch (kind) {
    case 'slow_first_byte':
    case 'slow_first_token':
      return { kind, delay_ms: countFrom(given.delay_ms ?? given.delay, DEFAULT_DELAY_MS) }
    case 'stall':
    case 'cut':
    case 'malformed':
      return { kind, after_tokens }
    case 'silence':
    case 'huge_line':
    case 'no_done':
    case 'odd':
    case 'no_stream':
    case 'no_usage':
      return { kind }
    case 'finish':
      return {
        kind,
        after_tokens,
        reason: typeof given.reason === 'string' ? given.reason : null,
        done: given.done !== undefined && given.done !== false,
      }
    default:
      return oddity(kind, given, after_tokens)
  }
}

function oddity(kind: string, given: Record<string, unknown>, after_tokens: number): Fault | undefined {
  const form = oneOf(FORMS, kind === 'form' ? given.form : kind)
  if (form !== undefined) return { kind: 'form', form }
  if (kind === 'thoughts') {
    const text = typeof given.text === 'string' ? given.text : DEFAULT_THOUGHTS
    return {
      kind,
      text,
      shape: oneOf(THOUGHT_SHAPES, given.shape) ?? 'reasoning_content',
      only: given.only !== undefined && given.only !== false,
    }
  }
  if (kind === 'error') {
    const [code, message] = [given.code ?? 'server_error', given.message ?? 'The upstream broke off.']
    return {
      kind,
      after_tokens,
      shape: oneOf(ERROR_SHAPES, given.shape) ?? 'top',
      code: String(code),
      message: String(message),
    }
  }
  return isRefusal(kind) ? { kind: 'status', status: REFUSALS[kind], code: kind } : undefined
}

const isRefusal = (kind: string): kind is RefusalCode => Object.hasOwn(REFUSALS, kind)

function statusFault(status: number, given: Record<string, unknown>): Fault {
  const retry = given.retry_after_seconds ?? given.retry
  return {
    kind: 'status',
    status,
    ...(retry === undefined ? {} : { retry_after_seconds: countFrom(retry, 1) }),
    ...(typeof given.body === 'string' ? { body: given.body } : {}),
  }
}

function countFrom(value: unknown, otherwise: number): number {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : otherwise
}
