import type { Progress } from '../../pace.ts'
import type { WebCall } from '../call.ts'
import type { AnswerEnd, AnswerEvent } from './steps.ts'

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
