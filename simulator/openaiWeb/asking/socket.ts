import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { isRecord, parseJson } from '../../http.ts'
import type { WebCall } from '../call.ts'
import type { AnswerEvent } from './steps.ts'
import { type Sink, wireOf } from './writer.ts'

/** After this many frames comes one of another conversation. */
const FOREIGN_EVERY = 5
const MAX_WAITING_BYTES = 1_000_000

/** The answer as frames of a WebSocket. `lost`: every nth frame is not sent, except the last. */
export function frameStream(
  { entry, upstream }: Pick<WebCall, 'entry' | 'upstream'>,
  socket: WebSocket,
  { conversation_id, lost }: { conversation_id: string; lost: number | undefined },
): Sink {
  let sequenceId = 0
  let drained = () => {}
  socket.on('message', (bytes: Buffer) => {
    const frame = parseJson(bytes.toString('utf8'))
    if (!isRecord(frame) || frame.type !== 'sequenceAck' || typeof frame.sequenceId !== 'number') return
    entry.web?.acknowledged.push(frame.sequenceId)
    upstream.journal.sent(entry, '')
  })
  socket.send(JSON.stringify({ type: 'system', event: 'connected', userId: 'user', connectionId: randomUUID() }))

  const frame = (line: string, id = conversation_id) => {
    sequenceId += 1
    if (lost !== undefined && sequenceId % lost === 0 && line !== DONE) return
    const body = Buffer.from(line).toString('base64')
    const data = { type: 'http.response.body', conversation_id: id, body, more_body: true, response_id: entry.id }
    const written = { type: 'message', from: 'group', group: 'answers', dataType: 'json', sequenceId, data }
    socket.send(JSON.stringify(written), () => {
      if (socket.bufferedAmount < MAX_WAITING_BYTES) drained()
    })
  }

  function write(events: readonly NonNullable<AnswerEvent>[]): boolean {
    for (const event of events) {
      frame(wireOf(event))
      if (sequenceId % FOREIGN_EVERY === 0) frame(FOREIGN, randomUUID())
    }
    return socket.bufferedAmount < MAX_WAITING_BYTES
  }

  return {
    write,
    end(end, written) {
      if (end === 'complete') frame(DONE)
      written()
      if (end === 'no_done') socket.close()
    },
    cut: () => socket.terminate(),
    onDrain(listener) {
      drained = listener
    },
    onClose: closed => socket.on('close', closed),
  }
}

const DONE = 'data: [DONE]\n\n'
const FOREIGN = `data: ${JSON.stringify({ message: { id: 'foreign', author: { role: 'assistant' }, content: { content_type: 'text', parts: ['not yours'] } } })}\n\n`
