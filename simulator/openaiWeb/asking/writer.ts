import type { Progress } from '../../foundation/pace.ts'
import type { WebCall } from '../state/call.ts'
import { type WebMessage, withText } from '../state/conversation.ts'

/** One message of an answer: whole at once, or growing by tokens. A token may be computed when it is sent. */
export type Step = {
  message: WebMessage
  tokens?: { count: number; token: (index: number) => string }
  /** The pause before it, in tokens at the pace of the answer. */
  delay?: number
}

/** A message after one event, and the text that the event added. */
type StepEvent = { message: WebMessage; added: string; is_last: boolean }

/**
 * One line of the answer's stream, and the text that it adds to the answer; null where time passes. `raw` replaces the
 * whole event.
 */
export type AnswerEvent = { data: string; added: string; raw?: string } | null

/** How an answer ends: whole; without saying so; by a broken connection; not at all. */
export type AnswerEnd = 'complete' | 'no_done' | 'cut' | 'stall'

type Options = { chunk?: number; shrink_after?: number }

/**
 * Maximum of tokens in all snapshots of a message. A long message grows by more tokens at once, or its snapshots would
 * be gigabytes.
 */
const MAX_SENT = 16_000_000

/** The events of one step: a snapshot for each `chunk` tokens, then the message as it stays. */
export function* eventsOf(
  { message, tokens }: Step,
  { chunk: wanted = 1, shrink_after }: Options = {},
): Generator<StepEvent> {
  if (!tokens) {
    yield { message, added: '', is_last: true }
    return
  }
  const chunk = Math.max(wanted, Math.ceil(tokens.count ** 2 / 2 / MAX_SENT))
  let words = ''
  for (let index = 0; index < tokens.count; index += chunk) {
    let added = ''
    for (let at = index; at < Math.min(index + chunk, tokens.count); at += 1) added += tokens.token(at)
    words += added
    if (shrink_after !== undefined && index <= shrink_after && shrink_after < index + chunk)
      words = words.slice(0, words.length / 2)
    const { finish_details: _, ...metadata } = message.metadata
    const partial = { ...withText(message, words), status: 'in_progress', end_turn: null, metadata }
    yield { message: partial, added, is_last: false }
  }
  yield { message: withText(message, words), added: '', is_last: true }
}

export const growing = (message: WebMessage, tokens: readonly string[]): Step => ({
  message,
  tokens: { count: tokens.length, token: index => tokens[index] ?? '' },
})

/** Where an answer is written to. */
export type Sink = {
  /** Returns false when nothing may be written until `onDrain`. */
  write: (events: readonly NonNullable<AnswerEvent>[]) => boolean
  /** `complete` marks the answer as whole; `no_done` only closes the connection. */
  end: (end: 'complete' | 'no_done', written: () => void) => void
  /** Breaks the connection after what was written has arrived. */
  cut: () => void
  onDrain: (drained: () => void) => void
  onClose: (closed: () => void) => void
}

/** Writes an answer at the common pace; waits while the client does not read, and stops when it leaves. */
export function writeAnswer(
  { entry, upstream, account, web }: WebCall,
  answer: { events: Iterator<AnswerEvent, AnswerEnd>; pace: number | undefined },
  sink: Sink,
) {
  const { journal, pace } = upstream

  function end(how: AnswerEnd): Progress {
    if (how === 'cut') {
      journal.end(entry, 'fault')
      sink.cut()
    } else if (how !== 'stall') sink.end(how, () => journal.end(entry, 'complete'))
    return 'ended'
  }

  function send(count: number): Progress {
    const events: NonNullable<AnswerEvent>[] = []
    let how: AnswerEnd | undefined
    for (let sent = 0; sent < count && how === undefined; sent += 1) {
      const next = answer.events.next()
      if (next.done) how = next.value
      else if (next.value) events.push(next.value)
    }
    const flows = events.length === 0 || sink.write(events)
    const added = events.map(event => event.added).join('')
    if (added !== '') journal.sent(entry, added)
    if (how !== undefined) return end(how)
    return flows ? 'more' : 'blocked'
  }

  const runner = pace.join(send, answer.pace)
  const breakOff = () => {
    runner.leave()
    journal.end(entry, 'fault')
    sink.cut()
  }
  account.streams.add(breakOff)
  sink.onDrain(runner.resume)
  sink.onClose(() => {
    runner.leave()
    account.streams.delete(breakOff)
    web.changed()
  })
}

/** The answer as server-sent events, in the response to the question. */
export function eventStream({ response }: WebCall): Sink {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  return {
    write: events => response.write(events.map(wireOf).join('')),
    end(end, written) {
      if (end === 'complete') response.end('data: [DONE]\n\n', written)
      else response.end(written)
    },
    cut() {
      if (!response.writableEnded) response.write('', () => response.destroy())
    },
    onDrain: drained => response.on('drain', drained),
    onClose: closed => response.on('close', closed),
  }
}

export const wireOf = ({ raw, data }: NonNullable<AnswerEvent>): string => raw ?? `data: ${data}\n\n`
