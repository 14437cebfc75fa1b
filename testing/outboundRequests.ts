import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type AddressPolicy, OutboundFailure, type OutboundRequest } from '#server/foundation/outbound/outbound.ts'

export const PUBLIC_ONLY: AddressPolicy = { public_only: true, except: [] }
const PATIENT = {
  connect_timeout_ms: 5000,
  first_byte_timeout_ms: 5000,
  idle_timeout_ms: 5000,
  total_timeout_ms: 10_000,
}

/** A WebSocket with long timeouts. */
export const PATIENT_SOCKET = {
  protocol: 'some.protocol',
  max_bytes: 1_000,
  connect_timeout_ms: 5_000,
  idle_timeout_ms: 5_000,
  total_timeout_ms: 10_000,
  addresses: 'any' as const,
}

/** A request with long timeouts. */
export function to(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: 'GET', url, addresses: 'any', ...PATIENT, ...more }
}

/** A server for one test that keeps the requests it received. */
export async function upstream(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = []
  const responses: ServerResponse[] = []
  const { promise: first, resolve: arrived } = Promise.withResolvers<IncomingMessage>()
  const server = createServer((request, response) => {
    arrived(request)
    requests.push(request)
    responses.push(response)
    request.resume()
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  return { url: `http://127.0.0.1:${portOf(server)}`, requests, responses, first }
}

export function portOf(server: Pick<Server, 'address'>): number {
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port
}

/** Resolves when the request has arrived, even after its sender gave up, and its connection is closed. */
export async function hungUp(arrival: Promise<IncomingMessage>): Promise<void> {
  const { socket } = await arrival
  if (socket.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  // A reset is reported as an error before the close, which is what is awaited.
  socket.once('close', () => resolve())
  await promise
}

export async function expectFailure(kind: OutboundFailure['kind'], done: Promise<unknown>): Promise<void> {
  const failure = await done.then(
    () => null,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(OutboundFailure)
  expect(failure).toMatchObject({ kind })
}

/** Resolves when the end of the next body has arrived and its connection is free. */
export async function endOfBody(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const onEnd = () => resolve()
  subscribe('undici:request:trailers', onEnd)
  onTestFinished(() => {
    unsubscribe('undici:request:trailers', onEnd)
  })
  await promise
  await turnOfTheLoop()
}
