import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, faultFrom } from '../../foundation/faults.ts'

/** The calls of the protocol, as faults name them. `storage` is every request to the storage host. */
export const CALLS = [
  'ask',
  'list',
  'history',
  'change',
  'change_all',
  'title',
  'interpreter',
  'sandbox',
  'plugins',
  'install',
  'announce',
  'complete',
  'download',
  'accounts',
  'storage',
] as const
export type CallName = (typeof CALLS)[number]

/** Faults that only this protocol knows; the others are those of every protocol. */
export type WebFault =
  | Fault
  /** An HTML page in place of JSON or events: 401 and 403 as from a wall, 200 as from a proxy. */
  | { kind: 'page'; status: number }
  /** Any document with status 200. */
  | { kind: 'json'; body: unknown }
  /** A message loses the second half of its text once it has this many tokens, then goes on growing. */
  | { kind: 'shrink'; after_tokens: number }
  /** Every nth frame of a WebSocket is lost. */
  | { kind: 'lost_frames'; every: number }
  /**
   * A listing that ends after `keep` entries (`honest`: but gives the true total), repeats one page at every offset, is
   * empty, or never ends.
   */
  | { kind: 'truncated'; keep: number; honest: boolean }
  | { kind: 'repeated' | 'empty' | 'endless' }
  /** A history whose nodes go in a circle, or that has 100,000 of them, or whose nodes are damaged in every way. */
  | { kind: 'cyclic' | 'huge' | 'broken' }
  /** The storage host sends the client somewhere else. */
  | { kind: 'redirect'; location: string }

/** Faults of each call, first in, first out. */
export function openWebFaults() {
  const waiting = new Map<CallName, { fault: WebFault; times: number }[]>()
  return {
    /** The next `times` of these calls get the fault; Infinity: all until `clear`. */
    add(call: CallName, fault: WebFault, times = 1) {
      waiting.set(call, [...(waiting.get(call) ?? []), { fault, times }])
    },
    take(call: CallName): WebFault | undefined {
      const [first, ...others] = waiting.get(call) ?? []
      if (!first) return undefined
      first.times -= 1
      if (first.times <= 0) waiting.set(call, others)
      return first.fault
    },
    clear: () => waiting.clear(),
  }
}

/** Builds a fault from the words of a directive or a control call; undefined when there is no such fault. */
export function webFaultFrom(kind: string, given: Record<string, unknown>): WebFault | undefined {
  const number = (value: unknown, fallback: number) =>
    value !== undefined && Number.isFinite(Number(value)) ? Number(value) : fallback
  switch (kind) {
    case 'page':
      return { kind, status: number(given.status, 403) }
    case 'shrink':
      return { kind, after_tokens: number(given.after_tokens ?? given.after, 20) }
    case 'lost_frames':
      return { kind, every: Math.max(1, number(given.every, 3)) }
    case 'truncated':
      return { kind, keep: number(given.keep, 50), honest: given.honest !== false && given.honest !== 'no' }
    case 'repeated':
    case 'empty':
    case 'endless':
    case 'cyclic':
    case 'huge':
    case 'broken':
      return { kind }
    case 'redirect':
      return { kind, location: typeof given.location === 'string' ? given.location : '/moved' }
    case 'json':
      return { kind, body: given.body }
    default:
      return faultFrom(kind, given)
  }
}

type Answering = { request: IncomingMessage; response: ServerResponse }

/** Answers with a fault that any call can have; false when the fault is none of those. */
export function answerByFault({ response }: Answering, fault: WebFault): boolean {
  switch (fault.kind) {
    case 'status': {
      const retry = fault.retry_after_seconds
      const body =
        fault.body ?? JSON.stringify({ detail: { message: DETAILS[fault.status] ?? 'Failed', code: fault.code } })
      response.writeHead(fault.status, {
        'content-type': 'application/json',
        ...(retry !== undefined && { 'retry-after': String(retry) }),
      })
      response.end(body)
      return true
    }
    case 'page':
      response.writeHead(fault.status, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
      return true
    case 'json':
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body))
      return true
    case 'redirect':
      response.writeHead(307, { location: fault.location }).end()
      return true
    case 'silence':
      return true
    default:
      return false
  }
}

const DETAILS: Record<number, string> = {
  401: 'Your authentication token has expired. Please try signing in again.',
  403: 'You do not have access to this.',
  404: 'Not found',
  429: 'You have reached the current usage cap. Please try again later.',
  500: 'Something went wrong.',
}

/** The page of a wall in front of an upstream. None of its text may reach a person. */
const PAGE = `<!doctype html><html lang="en"><head><title>Just a moment...</title></head>
<body><h1>Checking your browser</h1><script>document.title = 'secret-of-the-wall'</script></body></html>`
