import type { IncomingMessage, ServerResponse } from 'node:http'
import type { openFaults } from './faults.ts'
import type { Journal } from './journal.ts'
import type { Pace } from './pace.ts'

/** A refusal in the shape of the upstream's error body. */
export type UpstreamRefusal = {
  status: number
  message: string
  type: string
  param: string | null
  code: string | null
}

/** Shared by all protocols of the simulator. */
export type Upstream = {
  journal: Journal
  pace: Pace
  faults: ReturnType<typeof openFaults>
  takeAnswer: () => string | undefined
  first_token_ms: number
  /** Sent with every answer to a question, also one that refuses. */
  headers: Map<string, string>
  refusalOfKey: (request: IncomingMessage) => UpstreamRefusal | undefined
  /** Runs a step after a delay, unless the client has left or the simulator is closed by then. */
  later: (delay_ms: number, response: ServerResponse, step: () => void) => void
}

export function keyCheck(key: string | undefined) {
  return (request: IncomingMessage): UpstreamRefusal | undefined => {
    const { authorization, 'x-api-key': api_key } = request.headers
    if (key === undefined || authorization === `Bearer ${key}` || api_key === key) return undefined
    const message = 'Incorrect API key provided. You can find your API key in your account settings.'
    return { status: 401, message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' }
  }
}

export function openLater() {
  const timers = new Set<NodeJS.Timeout>()
  return {
    later(delay_ms: number, response: ServerResponse, step: () => void) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        step()
      }, delay_ms)
      timers.add(timer)
      response.on('close', () => {
        clearTimeout(timer)
        timers.delete(timer)
      })
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
