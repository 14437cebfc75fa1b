import { type Dispatcher, errors } from 'undici'
import { whenSent } from './outboundConnections.ts'
import { deadlineTimer } from './outboundDeadline.ts'
import { OutboundFailure, type FailureKind } from './outboundFailure.ts'

/** Milliseconds, each from the end of the one before; the total from the beginning. Looking the name up is part of connecting. */
export type Deadlines = {
  connect_timeout_ms: number
  first_byte_timeout_ms: number
  idle_timeout_ms: number
  total_timeout_ms: number
}

export type OutboundBody = AsyncIterable<Uint8Array> & {
  /** At most so many bytes of it, as text; the rest is not read. */
  text(max_bytes: number): Promise<string>
  /** Ends the exchange; may be called at any time, and twice. */
  destroy(): void
}

export type OutboundAnswer = { status: number; headers: Record<string, string | undefined>; body: OutboundBody }

/** Bytes that wait for a slow reader before the other side is told to wait as well. */
const MOST_WAITING = 256 * 1024

type Taker = { resolve(result: IteratorResult<Uint8Array>): void; reject(failure: OutboundFailure): void }

/** A request, and the way it takes. */
export type Departure = { dispatcher: Dispatcher; options: Dispatcher.DispatchOptions }

/** One request and its answer, from its preparation on. Every ending passes through `end`, which stops the clocks and lets go of the connection. */
export function exchange(prepare: () => Promise<Departure>, deadlines: Deadlines, signal?: AbortSignal): Promise<OutboundAnswer> {
  const answer = Promise.withResolvers<OutboundAnswer>()
  const phase = deadlineTimer(kind => end(new OutboundFailure(kind)))
  const total = deadlineTimer(kind => end(new OutboundFailure(kind)))
  const arrived: Uint8Array[] = []
  let waiting = 0
  let ended: OutboundFailure | 'whole' | 'destroyed' | null = null
  let controller: Dispatcher.DispatchController | null = null
  let taker: Taker | null = null
  let kept = false
  let heard = false
  let tries = 0

  const end = (how: OutboundFailure | 'whole' | 'destroyed'): void => {
    if (ended !== null) return
    ended = how
    phase.stop()
    total.stop()
    signal?.removeEventListener('abort', onAbort)
    if (how !== 'whole') {
      if (how === 'destroyed' || how.kind === 'aborted') arrived.length = 0
      controller?.abort(how instanceof Error ? how : new OutboundFailure('aborted'))
    }
    if (how instanceof OutboundFailure) {
      answer.reject(how)
      taker?.reject(how)
    } else {
      taker?.resolve({ done: true, value: undefined })
    }
    taker = null
  }
  const onAbort = (): void => end(new OutboundFailure('aborted'))

  // No async function: a stream waits here for each of its pieces, and would wait for two promises.
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    const piece = arrived.shift()
    if (piece !== undefined) {
      waiting -= piece.length
      if (waiting === 0 && controller?.paused) {
        phase.start('idle_timeout', deadlines.idle_timeout_ms)
        controller.resume()
      }
      return Promise.resolve({ done: false, value: piece })
    }
    if (ended instanceof OutboundFailure) return Promise.reject(ended)
    if (ended !== null) return Promise.resolve({ done: true, value: undefined })
    const taken = Promise.withResolvers<IteratorResult<Uint8Array>>()
    taker = taken
    return taken.promise
  }

  const attempt = (): void => {
    tries++
    controller = null
    phase.start('connect_timeout', deadlines.connect_timeout_ms)
    prepare().then(send).catch(fail)
  }
  const fail = (cause: unknown): void => {
    if (ended !== null) return
    // A connection that was kept may have been closed before this reached anybody; on one of its own the other side has read it.
    if (tries === 1 && kept && !heard && isLost(cause)) attempt()
    else end(failureOf(cause, controller !== null))
  }
  const send = ({ dispatcher, options }: Departure): void => {
    if (ended !== null) return
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started
        if (ended !== null) return started.abort(new OutboundFailure('aborted'))
        phase.start('first_byte_timeout', deadlines.first_byte_timeout_ms)
        whenSent(on => { kept = on })
      },
      onResponseStart(_controller, status, headers) {
        heard = true
        // An interim answer such as 103 is not yet the one.
        if (status < 200) return
        phase.start('idle_timeout', deadlines.idle_timeout_ms)
        answer.resolve({ status, headers: firstOfEach(headers), body: bodyOf(next, () => end('destroyed')) })
      },
      onResponseData(flow, piece) {
        if (taker !== null) {
          phase.again()
          const { resolve } = taker
          taker = null
          resolve({ done: false, value: piece })
          return
        }
        arrived.push(piece)
        waiting += piece.length
        if (waiting < MOST_WAITING) return phase.again()
        // Now it is the reader who is slow, not the other side.
        phase.stop()
        flow.pause()
      },
      onResponseEnd: () => end('whole'),
      onResponseError: (_controller, cause) => fail(cause),
    })
  }

  if (signal?.aborted) return Promise.reject(new OutboundFailure('aborted'))
  signal?.addEventListener('abort', onAbort)
  total.start('total_timeout', deadlines.total_timeout_ms)
  attempt()
  return answer.promise
}

function bodyOf(next: () => Promise<IteratorResult<Uint8Array>>, destroy: () => void): OutboundBody {
  const iterator = {
    next,
    async return(): Promise<IteratorResult<Uint8Array>> {
      destroy()
      return { done: true, value: undefined }
    },
  }
  return {
    [Symbol.asyncIterator]: () => iterator,
    destroy,
    async text(max_bytes) {
      const pieces: Uint8Array[] = []
      let bytes = 0
      for (let { done, value } = await next(); !done; { done, value } = await next()) {
        pieces.push(value)
        bytes += value.length
        if (bytes >= max_bytes) break
      }
      destroy()
      return Buffer.concat(pieces).subarray(0, max_bytes).toString()
    },
  }
}

function failureOf(cause: unknown, hasStarted: boolean): OutboundFailure {
  if (cause instanceof OutboundFailure) return cause
  const kind: FailureKind = codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT' ? 'connect_timeout' : hasStarted ? 'network' : 'connect'
  return new OutboundFailure(kind, { cause })
}

function isLost(cause: unknown): boolean {
  return cause instanceof errors.SocketError || codeOf(cause) === 'ECONNRESET' || codeOf(cause) === 'EPIPE'
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null
}

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))
}
