/** What an upstream does wrong on request. `after_tokens` counts the tokens that still arrive well. */
export type Fault =
  | { kind: 'status'; status: number; retry_after_seconds?: number; body?: string }
  | { kind: 'slow_first_byte'; delay_ms: number }
  | { kind: 'silence' }
  | { kind: 'stall'; after_tokens: number }
  | { kind: 'cut'; after_tokens: number }
  | { kind: 'malformed'; after_tokens: number }
  | { kind: 'huge_line' }
  | { kind: 'no_done' }
  | { kind: 'odd' }

const DEFAULT_AFTER_TOKENS = 5
const DEFAULT_DELAY_MS = 5_000

/** Faults and answers waiting for the coming requests, first come first used. */
export function createFaults() {
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

/** Builds a fault from loose words, as a directive or a control call gives them; undefined when there is no such fault. */
export function faultFrom(kind: string, given: Record<string, unknown>): Fault | undefined {
  const after_tokens = countFrom(given.after_tokens ?? given.after, DEFAULT_AFTER_TOKENS)
  const status = /^\d{3}$/.test(kind) ? Number(kind) : countFrom(given.status, 0)
  if (/^\d{3}$/.test(kind) || kind === 'status') return status >= 400 && status <= 599 ? statusFault(status, given) : undefined
  switch (kind) {
    case 'slow_first_byte': return { kind, delay_ms: countFrom(given.delay_ms ?? given.delay, DEFAULT_DELAY_MS) }
    case 'stall': return { kind, after_tokens }
    case 'cut': return { kind, after_tokens }
    case 'malformed': return { kind, after_tokens }
    case 'silence': return { kind }
    case 'huge_line': return { kind }
    case 'no_done': return { kind }
    case 'odd': return { kind }
    default: return undefined
  }
}

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
