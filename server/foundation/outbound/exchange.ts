import { type Dispatcher, errors } from 'undici'
import { whenSent } from './connections.ts'
import { deadlineTimer } from './deadline.ts'
import { OutboundFailure, type FailureKind } from './failure.ts'

/** Milliseconds, each from the end of the one before; the total from the beginning. Looking the name up is part of connecting. */
export type Deadlines = {
  connect_timeout_ms: number
  first_byte_timeout_ms: number
  idle_timeout_ms: number
  total_timeout_ms: number
  /** The deadline for the first byte lasts until the reader says that what it waits for has begun, whatever comes before that. */
  first_byte_until_begun?: boolean
}

/**
 * What a reader says to a piece: go on; hang up; or that this was the last, so that the end of the body is about to come, with which the
 * connection is good for the next request.
 */
export type Said = 'more' | 'enough' | 'complete'

export type OutboundBody = {
  /**
   * Hands over each piece as it arrives, to one reader. Resolves at the end, or when the reader wants no more. Rejects with an
   * OutboundFailure, or with what the reader throws.
   */
  each(take: (piece: Uint8Array) => Said): Promise<void>
  /** At most so many bytes of it, as text; the rest is not read. */
  text(max_bytes: number): Promise<string>
  /** What the reader waits for has begun: from now on the deadline is that of a pause. */
  begun(): void
  /** Pauses do not matter from now on, only the whole. */
  unhurried(): void
  /** Ends the exchange, unless its reader said that it is complete; may be called at any time, and twice. */
  destroy(): void
}

/** What the end of a complete body is waited for: milliseconds, and bytes that may come before it. */
const LAST = { milliseconds: 1_000, bytes: 1_000 }

/** `header` is asked by a name in small letters; of several of that name it gives the first. */
export type OutboundAnswer = { status: number; header(name: string): string | undefined; body: OutboundBody }

type Reader = { take(piece: Uint8Array): void; done: PromiseWithResolvers<void> }

/** A request, and the way it takes. */
export type Departure = { dispatcher: Dispatcher; options: Dispatcher.DispatchOptions }

/** One request and its answer, from its preparation on. Every ending passes through `end`, which stops the clocks and lets go of the connection. */
export function exchange(
  prepare: () => Promise<Departure>,
  deadlines: Deadlines,
  signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const answer = Promise.withResolvers<OutboundAnswer>()
  const phase = deadlineTimer(kind => end(new OutboundFailure(kind)))
  const total = deadlineTimer(kind => end(new OutboundFailure(kind)))
  const arrived: Uint8Array[] = []
  let ended: OutboundFailure | 'whole' | 'destroyed' | null = null
  let controller: Dispatcher.DispatchController | null = null
  let reader: Reader | null = null
  let kept = false
  let heard = false
  let isComplete = false
  let isHurried = true
  let hasBegun = deadlines.first_byte_until_begun !== true
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
      reader?.done.reject(how)
    } else {
      reader?.done.resolve()
    }
  }
  const onAbort = (): void => end(new OutboundFailure('aborted'))
  const destroy = (): void => {
    if (!isComplete) end('destroyed')
  }
  const waitForMore = (): void => {
    if (ended === null && hasBegun && isHurried) phase.start('idle_timeout', deadlines.idle_timeout_ms)
  }
  const begun = (): void => {
    if (hasBegun) return
    hasBegun = true
    waitForMore()
  }
  const unhurried = (): void => {
    isHurried = false
    phase.stop()
  }

  // Pushed, not pulled: a promise for each piece of each stream would cost as much as reading it.
  const each = (wanted: (piece: Uint8Array) => Said): Promise<void> => {
    const done = Promise.withResolvers<void>()
    const complete = (): void => {
      isComplete = true
      if (ended === null) phase.start('idle_timeout', LAST.milliseconds)
      done.resolve()
    }
    const take = readerOf(wanted, { fail: done.reject, hangUp: () => end('destroyed'), complete })
    const isHeldUp = ended === null && controller?.paused === true
    if (isHeldUp) waitForMore()
    for (const piece of arrived.splice(0)) take(piece)
    if (ended instanceof OutboundFailure) done.reject(ended)
    else if (ended !== null) done.resolve()
    reader = { take, done }
    if (isHeldUp) controller?.resume()
    return done.promise
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
        whenSent(on => {
          kept = on
        })
      },
      onResponseStart(_controller, status, headers) {
        heard = true
        // An interim answer such as 103 is not yet the one.
        if (status < 200) return
        waitForMore()
        answer.resolve({
          status,
          header: name => firstOf(headers[name]),
          body: { each, begun, unhurried, destroy, text: max_bytes => readText(each, max_bytes) },
        })
      },
      onResponseData(flow, piece) {
        if (piece.length === 0) return // undici's, at a resumed end
        if (reader !== null) {
          if (!isComplete && hasBegun) phase.again()
          return reader.take(piece)
        }
        // Nobody reads yet. What comes next waits with the other side, which is not to blame for that.
        arrived.push(piece)
        if (hasBegun) phase.stop()
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

type Hearing = { fail(error: unknown): void; hangUp(): void; complete(): void }

/** What is enough may come together with the end of the body, which keeps the connection good for others: so it is hung up a moment later. */
function readerOf(wanted: (piece: Uint8Array) => Said, { fail, hangUp, complete }: Hearing): Reader['take'] {
  let said: Said = 'more'
  let surplus = 0
  return piece => {
    if (said === 'complete' && (surplus += piece.length) > LAST.bytes) hangUp()
    if (said !== 'more') return
    try {
      said = wanted(piece)
    } catch (error) {
      said = 'enough'
      fail(error)
    }
    if (said === 'enough') queueMicrotask(hangUp)
    else if (said === 'complete') complete()
  }
}

/** At most so many bytes of a body, as text. */
export async function readText(each: OutboundBody['each'], max_bytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  await each(piece => {
    pieces.push(piece)
    bytes += piece.length
    return bytes < max_bytes ? 'more' : 'enough'
  })
  return Buffer.concat(pieces).subarray(0, max_bytes).toString()
}

function failureOf(cause: unknown, hasStarted: boolean): OutboundFailure {
  if (cause instanceof OutboundFailure) return cause
  const kind: FailureKind =
    codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT' ? 'connect_timeout' : hasStarted ? 'network' : 'connect'
  return new OutboundFailure(kind, { cause })
}

function isLost(cause: unknown): boolean {
  return cause instanceof errors.SocketError || codeOf(cause) === 'ECONNRESET' || codeOf(cause) === 'EPIPE'
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : null
}

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
