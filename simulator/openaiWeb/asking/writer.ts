import type { Progress } from '../../pace.ts'
import type { WebCall } from '../call.ts'
import type { AnswerEvent } from './steps.ts'

/** Writes events as server-sent events at the common pace; waits while the socket is full, and stops when the client leaves. */
export function writeEvents(
  { response, entry, upstream }: WebCall,
  events: Iterator<AnswerEvent>,
  ownRate: number | undefined,
) {
  const { journal, pace } = upstream

  function send(count: number): Progress {
    let wire = ''
    let added = ''
    let is_done = false
    for (let sent = 0; sent < count && !is_done; sent += 1) {
      const next = events.next()
      if (next.done) is_done = true
      else if (next.value) {
        wire += `data: ${next.value.data}\n\n`
        added += next.value.added
      }
    }
    const flows = wire === '' || response.write(wire)
    if (added !== '') journal.sent(entry, added)
    if (!is_done) return flows ? 'more' : 'blocked'
    response.end('data: [DONE]\n\n', () => journal.end(entry, 'complete'))
    return 'ended'
  }

  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const runner = pace.join(send, ownRate)
  response.on('drain', runner.resume)
  response.on('close', runner.leave)
}
