import type { AskRequest } from '#contract/asking.ts'
import { browserConnection, type ChatConnection } from './browserConnection.ts'
import { type ChatEvent, type CutEvent, finalReason, pauseBefore, readFrame, unseen } from './chatEvents.ts'

export type OwnAsk = AskRequest & { ask_id: string }
/** `stop` ends the ask at the server; `leave` only stops following it. */
export type ChatSignals = { stop: AbortSignal; leave: AbortSignal }

/**
 * Yields the server's events of a new ask until it is over. One socket at a time, reopened when the connection is lost.
 */
export function askOverSocket(
  request: OwnAsk,
  signals: ChatSignals,
  connection: ChatConnection = browserConnection,
): AsyncGenerator<ChatEvent> {
  return chatEvents(
    { ask_id: request.ask_id, request, accepted: false, after: 0, over: false, opened: false },
    signals,
    connection,
  )
}

/** The same for an ask that was sent from another page, or before a reload. */
export function followAsk(
  ask_id: string,
  after: number,
  signals: ChatSignals,
  connection: ChatConnection = browserConnection,
): AsyncGenerator<ChatEvent> {
  return chatEvents({ ask_id, request: null, accepted: true, after, over: false, opened: false }, signals, connection)
}

type Following = {
  ask_id: string
  /** Null for an ask that was sent from elsewhere. */
  request: OwnAsk | null
  accepted: boolean
  /** The number of the last event received. */
  after: number
  over: boolean
  /** Whether the present socket has opened. */
  opened: boolean
}

let everOpened = false

async function* chatEvents(
  ask: Following,
  signals: ChatSignals,
  connection: ChatConnection,
): AsyncGenerator<ChatEvent> {
  for (let attempt = 1; !signals.leave.aborted; attempt++) {
    const reached = ask.after
    ask.opened = false
    yield* eventsOfSocket(ask, signals, connection, attempt > 1)
    if (ask.over || signals.leave.aborted) return
    if (ask.after > reached) attempt = 1
    const session = ask.opened ? 'held' : await connection.session()
    if (session === 'lost') {
      yield cut(ask, 'errors.loginExpired')
      return
    }
    yield { type: 'connection', state: 'lost', attempt, blocked: session === 'held' && attempt > 1 && !everOpened }
    await connection.pause(pauseBefore(attempt, connection.random()), signals.leave)
  }
}

async function* eventsOfSocket(
  ask: Following,
  signals: ChatSignals,
  connection: ChatConnection,
  again: boolean,
): AsyncGenerator<ChatEvent> {
  const socket = connect(connection, signals)
  try {
    for (;;) {
      const received = await socket.next()
      if (received.kind === 'open') {
        ask.opened = everOpened = true
        socket.send(firstMessage(ask, signals.stop.aborted))
        if (again) yield { type: 'connection', state: 'open' }
      } else if (received.kind === 'text') {
        const event = newEvent(ask, received.text, signals.stop.aborted)
        if (event === 'gap') return
        // A stop that was sent before the ask was known may have been lost.
        if (event !== null && 'type' in event && event.type === 'accepted' && signals.stop.aborted)
          socket.send({ stop: true })
        if (event !== null) yield event
      } else {
        const reason = ask.over || signals.leave.aborted ? null : finalReason(received.code, received.reason)
        if (reason === null) return
        ask.over = true
        yield cut(ask, reason)
        return
      }
    }
  } finally {
    socket.end()
  }
}

/** An ask that the server did not accept has not been charged either. */
function cut({ accepted }: Following, tip: string): CutEvent {
  return { type: 'error', tip, values: null, charged: accepted ? null : false }
}

/**
 * The question, always under the same id, until it is accepted; then a request to resume after the last event received.
 */
function firstMessage({ accepted, request, ask_id, after }: Following, stopped: boolean): object {
  return !accepted && !stopped && request !== null ? { ...request } : { resume: ask_id, after }
}

/** Null for an event that was received before or cannot be parsed. */
function newEvent(ask: Following, text: string, stopped: boolean): ChatEvent | null | 'gap' {
  const frame = readFrame(text)
  if (frame === null) return null
  const news = unseen(frame, ask.after)
  if (news === null || news === 'gap') return news
  ask.after = news.after
  const { event } = news
  if (!('type' in event)) return event
  if (event.type === 'accepted') ask.accepted = true
  if (event.type === 'error' && !ask.accepted) {
    // The server restarts and has not accepted the question: it is sent again, as the same ask.
    if (event.tip === 'errors.serverStopping') return null
    if (event.tip === 'errors.askNotFound' && stopped) {
      // It was stopped before it reached the server.
      ask.over = true
      return { type: 'finished', outcome: 'stopped', charged: false }
    }
  }
  if (event.type === 'finished' || event.type === 'error') ask.over = true
  return event
}

type SocketEvent = { kind: 'open' } | { kind: 'text'; text: string } | { kind: 'closed'; code: number; reason: string }

/** Milliseconds of silence after which the connection is considered dead; resuming costs nothing. */
const SILENCE = 60_000
/** The same for the first connection, which was opened in advance and may have died unnoticed. */
const FIRST_SILENCE = 5_000
/** The value of WebSocket.OPEN. */
const OPEN = 1
/** Closed by the page itself; not a code of the protocol. */
const GIVEN_UP = { kind: 'closed', code: 0, reason: '' } as const

function connect(connection: ChatConnection, { stop, leave }: ChatSignals) {
  const events: SocketEvent[] = []
  let wake = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const push = (event: SocketEvent, silence = SILENCE) => {
    clearTimeout(timer)
    if (event.kind !== 'closed') timer = setTimeout(giveUp, silence)
    events.push(event)
    wake()
  }
  const giveUp = () => push(GIVEN_UP)
  const wire = connection.open()
  const send = (message: object) => wire.send(JSON.stringify(message))
  let open = wire.readyState === OPEN
  if (open) push({ kind: 'open' }, FIRST_SILENCE)
  const sendStop = () => {
    if (open) send({ stop: true })
  }
  wire.addEventListener('open', () => {
    open = true
    push({ kind: 'open' })
  })
  wire.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') push({ kind: 'text', text: data })
  })
  wire.addEventListener('close', ({ code, reason }) => {
    open = false
    push({ kind: 'closed', code, reason })
  })
  const stopWatching = connection.onReturn(giveUp)
  stop.addEventListener('abort', sendStop)
  leave.addEventListener('abort', giveUp)
  return {
    send,
    async next(): Promise<SocketEvent> {
      for (;;) {
        const event = events.shift()
        if (event !== undefined) return event
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    end() {
      clearTimeout(timer)
      stopWatching()
      stop.removeEventListener('abort', sendStop)
      leave.removeEventListener('abort', giveUp)
      wire.close()
    },
  }
}
