import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import {
  allOf,
  type Deadlines,
  firstOf,
  type OutboundAnswer,
  type OutboundBody,
  type ReaderSignal,
  readText,
  readingTurn,
} from './answer.ts'
import {
  deadlineTimer,
  OutboundFailure,
  isConnectTimeout,
  isLostConnection,
  StaleConnection,
  whenSent,
} from './failure.ts'
import { sentContent, type StreamedContent } from './streamedContent.ts'
import { openUnpacking, type Unpacking } from './unpacking.ts'

/** A request, and the dispatcher that sends it. */
type PreparedRequest = { dispatcher: Dispatcher; options: Dispatcher.DispatchOptions }

/** What is held of a stream for its reader. */
const HELD_BYTES = 256 * 1024

/** What the end of a body is waited for after its reader is done: milliseconds, and bytes that may come before it. */
const END_OF_BODY = { milliseconds: 1_000, bytes: 1_000 }

type Controller = Dispatcher.DispatchController
type Reader = { read(chunk: Uint8Array): ReaderSignal; done: PromiseWithResolvers<void> }

type State =
  /** The name is looked up and a connection made. */
  | { at: 'connecting' }
  /** On a connection, perhaps kept from an earlier exchange. An interim answer such as 103 counts as an answer. */
  | { at: 'sent'; controller: Controller; isOnKept: boolean; isAnswered: boolean }
  /** Nobody reads the answer yet: what has come of it is held. */
  | { at: 'answered'; controller: Controller; held: Uint8Array[] }
  | { at: 'reading'; controller: Controller; reader: Reader }
  /** The reader cancelled. In the same turn the end may still come, which keeps the connection good for others. */
  | { at: 'cancelling'; controller: Controller; reader: Reader }
  /** The reader is done, and the end of the body is about to come. */
  | { at: 'finishing'; controller: Controller; surplus: number }
  | { at: 'ended'; how: Ending; held: Uint8Array[] }

type Ending = OutboundFailure | 'whole' | 'destroyed'

/** Which deadline counts beside the total one, once there is an answer. */
type PhaseDeadline = 'first byte' | 'idle' | 'none'

type ExchangeOptions = { deadlines: Deadlines; signal?: AbortSignal | undefined; content: StreamedContent | null }

/**
 * Makes one request. Every ending of it passes through `end`, which stops the clocks and lets go of the connection.
 * `content`: the body where it is streamed, so that a pause in it has a deadline, and the first byte is awaited from
 * its end on.
 */
export function exchange(prepare: () => Promise<PreparedRequest>, options: ExchangeOptions): Promise<OutboundAnswer> {
  return new Exchange(options).begin(prepare)
}

class Exchange implements Dispatcher.DispatchHandler {
  #state: State = { at: 'connecting' }
  #phaseDeadline: PhaseDeadline
  readonly #deadlines: Deadlines
  readonly #signal: AbortSignal | undefined
  readonly #content: StreamedContent | null
  readonly #answer = Promise.withResolvers<OutboundAnswer>()
  readonly #phase = deadlineTimer(kind => this.#end(new OutboundFailure(kind)))
  readonly #total = deadlineTimer(kind => this.#end(new OutboundFailure(kind)))
  readonly #abort = (): void => this.#end(new OutboundFailure('aborted'))
  /** What the bytes go through, where they are packed. The deadlines last until all of it is unpacked and read. */
  #unpacking: Unpacking | null = null
  /** How the packed bytes have ended; what is there of them is still unpacked. */
  #packedEnd: Ending | null = null
  /** More waits to be unpacked than should. */
  #isFull = false
  /** Who wants nothing to be delivered: a stream that is not read, or those whose turn it is. */
  readonly #holds = new Set<'reader' | 'turn'>()
  readonly #turn = readingTurn(
    () => this.#hold('turn'),
    () => this.#release('turn'),
  )
  readonly #sending = {
    onPieceSent: () => this.#state.at === 'sent' && this.#phase.again(),
    onAllSent: () => this.#state.at === 'sent' && this.#awaitFirstByte(),
  }

  constructor({ deadlines, signal, content }: ExchangeOptions) {
    this.#deadlines = deadlines
    this.#signal = signal
    this.#content = content
    this.#phaseDeadline = deadlines.keeps_first_byte_deadline === true ? 'first byte' : 'idle'
  }

  begin(prepare: () => Promise<PreparedRequest>): Promise<OutboundAnswer> {
    if (this.#signal?.aborted) return Promise.reject(new OutboundFailure('aborted'))
    this.#signal?.addEventListener('abort', this.#abort)
    this.#total.start('total_timeout', this.#deadlines.total_timeout_ms)
    this.#phase.start('connect_timeout', this.#deadlines.connect_timeout_ms)
    prepare()
      .then(({ dispatcher, options }) => {
        if (this.#state.at === 'ended') return
        const body = this.#content === null ? options.body : sentContent(this.#content, this.#sending)
        dispatcher.dispatch({ ...options, body }, this)
      })
      .catch((cause: unknown) => this.#fail(cause))
    return this.#answer.promise
  }

  onRequestStart(controller: Controller): void {
    if (this.#state.at === 'ended') return controller.abort(new OutboundFailure('aborted'))
    const sent = { at: 'sent' as const, controller, isOnKept: false, isAnswered: false }
    this.#state = sent
    if (this.#content === null) this.#awaitFirstByte()
    else this.#phase.start('idle_timeout', this.#deadlines.idle_timeout_ms)
    whenSent(isOnKept => {
      sent.isOnKept = isOnKept
    })
  }

  #awaitFirstByte(): void {
    this.#phase.start('first_byte_timeout', this.#deadlines.first_byte_timeout_ms)
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#state.at !== 'sent') return
    this.#state.isAnswered = true
    if (status < 200) return
    this.#state = { at: 'answered', controller, held: [] }
    this.#unpacking = openUnpacking(allOf(headers['content-encoding']), {
      onChunk: chunk => this.#deliver(chunk),
      onDrain: () => {
        this.#isFull = false
        controller.resume()
      },
      onEnd: () => this.#end(this.#packedEnd ?? 'destroyed'),
      onFailure: cause => this.#end(new OutboundFailure('unpacking', { cause })),
    })
    this.#awaitNext()
    const each: OutboundBody['each'] = read => this.#each(read)
    this.#answer.resolve({
      status,
      header: name => firstOf(headers[name]),
      header_names: Object.keys(headers),
      body: {
        each,
        stream: max_bytes => this.#stream(max_bytes),
        ...{ pause: () => this.#pause(), resume: () => this.#resume() },
        text: max_bytes => readText(each, max_bytes),
        useIdleDeadline: () => {
          if (this.#phaseDeadline !== 'first byte') return
          this.#phaseDeadline = 'idle'
          this.#awaitNext()
        },
        useTotalDeadlineOnly: () => {
          this.#phaseDeadline = 'none'
          this.#phase.stop()
        },
        destroy: () => {
          if (this.#state.at !== 'finishing') this.#end('destroyed')
        },
      },
    })
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (chunk.length === 0) return // undici's, at a resumed end
    if (this.#state.at === 'answered') {
      // What comes next waits with the other side, which is not to blame for that.
      this.#state.held.push(chunk)
      if (this.#phaseDeadline === 'idle') this.#phase.stop()
      controller.pause()
      return
    }
    this.#receive(controller, chunk)
  }

  /** What is packed is taken only as fast as it is unpacked and read. */
  #receive(controller: Controller, chunk: Uint8Array): void {
    if (this.#unpacking === null || this.#state.at !== 'reading') return this.#deliver(chunk)
    if (this.#phaseDeadline === 'idle') this.#phase.again()
    this.#isFull = !this.#unpacking.write(chunk)
    if (this.#isFull) controller.pause()
  }

  onResponseEnd(): void {
    this.#endOfBytes('whole')
  }

  /** What came before it is unpacked first. */
  #endOfBytes(how: Ending): void {
    const { at } = this.#state
    if (this.#unpacking === null || (at !== 'reading' && at !== 'answered')) return this.#end(how)
    this.#packedEnd = how
    if (at === 'reading') this.#unpacking.end()
  }

  onResponseError(_controller: Controller, cause: unknown): void {
    this.#fail(cause)
  }

  /** Chunks are pushed: a promise for each chunk of each stream would cost as much as reading it. */
  #each(read: Reader['read']): Promise<void> {
    const done = Promise.withResolvers<void>()
    const before = this.#state
    if (before.at === 'ended') readEnded(before, read, done)
    else if (before.at !== 'answered') done.reject(new Error('the body has a reader already'))
    else {
      const { controller, held } = before
      this.#state = { at: 'reading', controller, reader: { read, done } }
      if (controller.paused) this.#awaitNext()
      for (const chunk of held) this.#receive(controller, chunk)
      if (this.#packedEnd !== null) this.#unpacking?.end()
      else if (!this.#isFull && (this.#unpacking !== null || this.#holds.size === 0)) controller.resume()
    }
    return done.promise
  }

  #stream(max_bytes: number): Readable {
    let bytes = 0
    const stream = new Readable({
      highWaterMark: HELD_BYTES,
      read: () => this.#resume(),
      destroy: (error, done) => {
        this.#end('destroyed')
        done(error)
      },
    })
    this.#each(chunk => {
      bytes += chunk.length
      if (bytes > max_bytes) throw new OutboundFailure('network')
      if (!stream.push(chunk)) this.#pause()
      return 'continue'
    }).then(
      () => stream.destroyed || stream.push(null),
      (error: unknown) => stream.destroy(error instanceof Error ? error : new OutboundFailure('network')),
    )
    return stream
  }

  #pause(): void {
    if (this.#state.at !== 'reading') return
    this.#phase.stop()
    this.#hold('reader')
  }

  #resume(): void {
    if (this.#state.at !== 'reading' || !this.#holds.has('reader')) return
    this.#awaitNext()
    this.#release('reader')
  }

  #hold(by: 'reader' | 'turn'): void {
    this.#holds.add(by)
    if (this.#unpacking !== null) this.#unpacking.pause()
    else if (this.#state.at === 'reading') this.#state.controller.pause()
  }

  #release(by: 'reader' | 'turn'): void {
    this.#holds.delete(by)
    if (this.#holds.size > 0 || this.#state.at !== 'reading') return
    if (this.#unpacking !== null) this.#unpacking.resume()
    else this.#state.controller.resume()
  }

  #deliver(chunk: Uint8Array): void {
    if (this.#state.at === 'finishing') {
      this.#state.surplus += chunk.length
      if (this.#state.surplus > END_OF_BODY.bytes) this.#end('destroyed')
    }
    if (this.#state.at !== 'reading') return
    const { controller, reader } = this.#state
    const began = performance.now()
    if (this.#phaseDeadline === 'idle') this.#phase.again()
    const signal = readBy(reader, chunk)
    // The reader may have ended the exchange itself.
    if (this.#state.at !== 'reading') return
    if (signal === 'continue') return this.#turn.count(began)
    if (signal === 'done') {
      this.#state = { at: 'finishing', controller, surplus: 0 }
      this.#phase.start('idle_timeout', END_OF_BODY.milliseconds)
      reader.done.resolve()
      if (this.#packedEnd !== null) this.#end(this.#packedEnd)
      else controller.resume()
    } else {
      this.#state = { at: 'cancelling', controller, reader }
      queueMicrotask(() => this.#end('destroyed'))
    }
  }

  #awaitNext(): void {
    if (this.#state.at !== 'ended' && this.#phaseDeadline === 'idle')
      this.#phase.start('idle_timeout', this.#deadlines.idle_timeout_ms)
  }

  #fail(cause: unknown): void {
    const { at } = this.#state
    const isStale =
      this.#state.at === 'sent' && this.#state.isOnKept && !this.#state.isAnswered && isLostConnection(cause)
    if (isStale) this.#end(new StaleConnection({ cause }))
    else if (cause instanceof OutboundFailure) this.#end(cause)
    else if (isConnectTimeout(cause)) this.#end(new OutboundFailure('connect_timeout', { cause }))
    else this.#endOfBytes(new OutboundFailure(at === 'connecting' ? 'connect' : 'network', { cause }))
  }

  #end(how: Ending): void {
    const before = this.#state
    if (before.at === 'ended') return
    const isDropped = how === 'destroyed' || (how instanceof OutboundFailure && how.kind === 'aborted')
    this.#state = { at: 'ended', how, held: before.at === 'answered' && !isDropped ? before.held : [] }
    this.#phase.stop()
    this.#total.stop()
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#unpacking?.destroy()
    if (how !== 'whole' && before.at !== 'connecting')
      before.controller.abort(how === 'destroyed' ? new OutboundFailure('aborted') : how)
    if (how instanceof OutboundFailure) this.#answer.reject(how)
    if (before.at === 'reading' || before.at === 'cancelling') settle(before.reader, how)
  }
}

/** What the reader answers; one that throws has no more use for the body. */
function readBy({ read, done }: Reader, chunk: Uint8Array): ReaderSignal {
  try {
    return read(chunk)
  } catch (error) {
    done.reject(error)
    return 'cancel'
  }
}

function settle({ done }: Pick<Reader, 'done'>, how: Ending): void {
  if (how instanceof OutboundFailure) done.reject(how)
  else done.resolve()
}

/** A body that ended before anybody read it, read as far as it came. */
function readEnded({ how, held }: Extract<State, { at: 'ended' }>, read: Reader['read'], done: Reader['done']): void {
  const isEnough = held.some(chunk => readBy({ read, done }, chunk) !== 'continue')
  settle({ done }, isEnough ? 'whole' : how)
}
