import type { AskRequest } from '#contract/asking.ts'
import { browserConnection, type ChatConnection } from './browserConnection.ts'
import { type ChatEvent, type CutEvent, finalReason, pauseBefore, readFrame, unseen } from './chatEvents.ts'

export type OwnAsk = AskRequest & { ask_id: string }
/** `stop` ends the ask at the server; `leave` only stops following it. */
export type ChatSignals = { stop: AbortSignal; leave: AbortSignal }

/** One ask, one socket at a time: yields the server's events until the ask is over, reconnecting when the connection is lost. */
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

/** The same for an ask that was begun elsewhere, or before a reload. */
export function followAsk(
  ask_id: string,
  after: number,
  signals: ChatSignals,
  connection: ChatConnection = browserConnection,
): AsyncGenerator<ChatEvent> {
  return chatEvents({ ask_id, request: null, accepted: true, after, over: false, opened: false }, signals, connection)
}

type Story = {
  ask_id: string
  request: OwnAsk | null
  accepted: boolean
  after: number
  over: boolean
  opened: boolean
}

let everOpened = false

async function* chatEvents(story: Story, signals: ChatSignals, connection: ChatConnection): AsyncGenerator<ChatEvent> {
  for (let attempt = 1; !signals.leave.aborted; attempt++) {
    const reached = story.after
    story.opened = false
    yield* oneSocket(story, signals, connection, attempt > 1)
    if (story.over || signals.leave.aborted) return
    if (story.after > reached) attempt = 1
    const session = story.opened ? 'held' : await connection.session()
    if (session === 'lost') {
      yield cut(story, 'errors.loginExpired')
      return
    }
    yield { type: 'connection', state: 'lost', attempt, blocked: session === 'held' && attempt > 1 && !everOpened }
    await connection.pause(pauseBefore(attempt, connection.random()), signals.leave)
  }
}

async function* oneSocket(
  story: Story,
  signals: ChatSignals,
  connection: ChatConnection,
  again: boolean,
): AsyncGenerator<ChatEvent> {
  const socket = connect(connection, signals)
  try {
    for (;;) {
      const happening = await socket.next()
      if (happening.kind === 'open') {
        story.opened = everOpened = true
        socket.say(hello(story, signals.stop.aborted))
        if (again) yield { type: 'connection', state: 'open' }
      } else if (happening.kind === 'text') {
        const event = fresh(story, happening.text, signals.stop.aborted)
        if (event === 'gap') return
        // A stop that was sent before the ask was known may have been lost.
        if (event !== null && 'type' in event && event.type === 'accepted' && signals.stop.aborted)
          socket.say({ stop: true })
        if (event !== null) yield event
      } else {
        const reason = story.over || signals.leave.aborted ? null : finalReason(happening.code, happening.reason)
        if (reason === null) return
        story.over = true
        yield cut(story, reason)
        return
      }
    }
  } finally {
    socket.end()
  }
}

/** What the server did not accept has not been charged either. */
function cut({ accepted }: Story, tip: string): CutEvent {
  return { type: 'error', tip, values: null, charged: accepted ? null : false }
}

/** The first message of a connection: the question, under the same id, until it is accepted; then a resume from what is still missing. */
function hello(story: Story, stopped: boolean): object {
  const anew = !story.accepted && !stopped && story.request !== null
  return anew ? { ...story.request } : { resume: story.ask_id, after: story.after }
}

function fresh(story: Story, text: string, stopped: boolean): ChatEvent | null | 'gap' {
  const frame = readFrame(text)
  if (frame === null) return null
  const news = unseen(frame, story.after)
  if (news === null || news === 'gap') return news
  story.after = news.after
  const { event } = news
  // The server is restarting and has not accepted the question: sent again, it is the same ask.
  if ('type' in event && event.type === 'error' && event.tip === 'errors.serverStopping' && !story.accepted) return null
  if (!('type' in event)) return event
  if (event.type === 'accepted') story.accepted = true
  if (event.type === 'finished' || event.type === 'error') story.over = true
  // It was stopped before it arrived: nothing is left of it.
  const never = event.type === 'error' && event.tip === 'errors.askNotFound' && stopped && !story.accepted
  return never ? { type: 'finished', outcome: 'stopped', charged: false } : event
}

type Happening = { kind: 'open' } | { kind: 'text'; text: string } | { kind: 'closed'; code: number; reason: string }

/** Milliseconds of silence after which the connection is taken for dead; resuming costs nothing. */
const SILENCE_MS = 60_000
/** The same for a connection that was opened a while ago, and may be dead without knowing. */
const FIRST_SILENCE_MS = 5_000
/** The value of WebSocket.OPEN. */
const OPEN = 1
/** Not a code of the protocol: the page itself gave up. */
const GIVEN_UP = { kind: 'closed', code: 0, reason: '' } as const

function connect(connection: ChatConnection, { stop, leave }: ChatSignals) {
  const happenings: Happening[] = []
  let wake = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (happening: Happening, silence_ms = SILENCE_MS) => {
    clearTimeout(timer)
    if (happening.kind !== 'closed') timer = setTimeout(giveUp, silence_ms)
    happenings.push(happening)
    wake()
  }
  const giveUp = () => tell(GIVEN_UP)
  const wire = connection.open()
  const say = (message: object) => wire.send(JSON.stringify(message))
  let open = wire.readyState === OPEN
  if (open) tell({ kind: 'open' }, FIRST_SILENCE_MS)
  const sayStop = () => {
    if (open) say({ stop: true })
  }
  wire.addEventListener('open', () => {
    open = true
    tell({ kind: 'open' })
  })
  wire.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') tell({ kind: 'text', text: data })
  })
  wire.addEventListener('close', ({ code, reason }) => {
    open = false
    tell({ kind: 'closed', code, reason })
  })
  const forget = connection.onReturn(giveUp)
  stop.addEventListener('abort', sayStop)
  leave.addEventListener('abort', giveUp)
  return {
    say,
    async next(): Promise<Happening> {
      for (;;) {
        const happening = happenings.shift()
        if (happening !== undefined) return happening
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    end() {
      clearTimeout(timer)
      forget()
      stop.removeEventListener('abort', sayStop)
      leave.removeEventListener('abort', giveUp)
      wire.close()
    },
  }
}
