import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { sendJson, isRecord, parseJson } from '../../foundation/http.ts'
import { type WebCall, refuseByFault } from '../state/call.ts'
import { addMessage, now, textOf, titleOf, type WebMessage } from '../state/conversation.ts'
import { type WebFault, webFaultFrom } from '../state/faults.ts'
import { answerOf, type WebAnswer } from './answer.ts'
import { readAsk, takeQuestion, type WebAsk } from './request.ts'
import { type AnswerEvent, eventsOf, type AnswerEnd, eventStream, writeAnswer, type Sink, wireOf } from './writer.ts'

/** POST conversation: a fault if one is due, else the answer. */
export function ask(call: WebCall, queued: WebFault | undefined) {
  const asked = readAsk(call)
  if (!asked) return
  const answer = answerOf(asked, call)
  const { words, fault: named } = answer.directives
  const fault =
    (words?.fault === undefined ? undefined : webFaultFrom(words.fault, words)) ??
    named ??
    queued ??
    call.upstream.faults.take()
  const delay_ms = fault?.kind === 'slow_first_byte' ? fault.delay_ms : call.upstream.first_token_ms
  call.response.setHeaders(call.upstream.headers)
  const begin = () => {
    if (fault === undefined || !refuseByFault(call, fault)) send(call, asked, answer, fault)
  }
  if (delay_ms > 0) call.upstream.later(delay_ms, call.response, begin)
  else begin()
}

function send(call: WebCall, asked: WebAsk, answer: WebAnswer, fault: WebFault | undefined) {
  takeQuestion(call, asked)
  const messages = faulty(answerEvents(call, asked, answer, fault), fault)
  const encoding = answer.directives.words?.encoding ?? call.web.encoding
  const events = encoding === 'delta' ? asDeltas(messages) : messages
  const written = { events, pace: answer.directives.pace }
  const transport = answer.directives.words?.transport ?? call.web.transport
  if (transport !== 'websocket') return writeAnswer(call, written, eventStream(call))

  const { entry, response, upstream } = call
  const conversation_id = asked.conversation.id
  const lost = fault?.kind === 'lost_frames' ? fault.every : undefined
  if (entry.web) entry.web.transport = 'websocket'
  const path = call.web.sockets.expect(
    socket => {
      const sink = frameStream(call, socket, { conversation_id, lost })
      sink.onClose(() => upstream.journal.end(entry, 'aborted'))
      writeAnswer(call, written, sink)
    },
    () => upstream.journal.end(entry, 'aborted'),
  )
  sendJson(response, 200, {
    conversation_id,
    wss_url: call.web.socketUrl(path),
    expires_at: null,
    response_id: String(entry.id),
  })
}

/** The question again, the messages of the answer as they grow, and a title for a new conversation. */
function* answerEvents(
  call: WebCall,
  { conversation, question, is_new, ...asked }: WebAsk,
  { steps, directives }: WebAnswer,
  fault: WebFault | undefined,
): Generator<AnswerEvent> {
  let { parent } = asked
  const eventFor = (message: WebMessage, added = ''): AnswerEvent => ({
    data: JSON.stringify({ message, conversation_id: conversation.id, error: null }),
    added,
  })

  if (question) {
    parent = question.id
    yield eventFor(question)
  }
  const options = {
    chunk: Math.max(1, Number(directives.words?.chunk) || 1),
    shrink_after: fault?.kind === 'shrink' ? fault.after_tokens : undefined,
  }
  for (const step of steps) {
    for (let passed = 0; passed < (step.delay ?? 0); passed += 1) yield null
    const message = { ...step.message, create_time: now() }
    if (message.author.name === 'python') conversation.interpreter_used = now()
    for (const event of eventsOf({ ...step, message }, options)) {
      // What was sent is kept, even when the client leaves in the middle of it.
      const kept = event.is_last ? event.message : { ...event.message, status: 'finished_partial_completion' }
      addMessage(conversation, kept, parent)
      yield eventFor(event.message, event.added)
    }
    parent = message.id
    conversation.characters += textOf(conversation.mapping[parent]?.message ?? message).length
  }
  if (is_new && directives.words?.title !== 'none') {
    conversation.title = titleOf(conversation)
    call.account.changed()
    yield {
      data: JSON.stringify({ type: 'title_generation', title: conversation.title, conversation_id: conversation.id }),
      added: '',
    }
  }
}

type Change = { p: string; o: string; v: unknown }

const BEGIN = 'event: delta_encoding\ndata: "v1"\n\n'

/**
 * The same events, with messages as changes (`delta_encoding` v1), as the service streams since 2025, and notices
 * between them.
 */
function* asDeltas(events: Iterator<AnswerEvent, AnswerEnd>): Generator<AnswerEvent, AnswerEnd> {
  let latest: Record<string, unknown> | undefined
  let number = 0
  let path = ''
  yield { raw: BEGIN, data: '', added: '' }
  yield notice({ type: 'resume_conversation_token', token: 'none' })
  for (let next = events.next(); ; next = events.next()) {
    if (next.done) {
      yield notice({ type: 'message_stream_complete' })
      return next.value
    }
    const event = next.value
    const body = event === null || event.raw !== undefined ? undefined : parseJson(event.data)
    if (event === null || !isRecord(body) || !isRecord(body.message)) {
      yield event
      continue
    }
    const { message } = body
    if (message.id !== latest?.id) {
      yield delta(event.added, { p: '', o: 'add', v: body, c: number })
      if (number === 1) yield notice({ type: 'message_marker', marker: 'user_visible_token', event: 'first' })
      number += 1
      path = ''
    } else {
      const changes = changesOf(latest, message, '/message')
      const [first] = changes
      if (changes.length === 1 && first?.o === 'append') {
        yield delta(event.added, first.p === path ? { v: first.v } : first)
        path = first.p
      } else if (changes.length > 0) {
        yield delta(event.added, { p: '', o: 'patch', v: changes })
        path = ''
      }
    }
    latest = message
  }
}

const notice = (body: unknown): AnswerEvent => ({ data: JSON.stringify(body), added: '' })

const delta = (added: string, body: unknown): AnswerEvent => ({
  raw: `event: delta\ndata: ${JSON.stringify(body)}\n\n`,
  data: '',
  added,
})

/** What makes one value of the other. */
function changesOf(one: unknown, other: unknown, path: string): Change[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  if (typeof one === 'string' && typeof other === 'string' && other.startsWith(one))
    return [{ p: path, o: 'append', v: other.slice(one.length) }]
  if (typeof one === 'string' && typeof other === 'string' && one.startsWith(other))
    return [{ p: path, o: 'truncate', v: other.length }]
  const isSameList = Array.isArray(one) && Array.isArray(other) && one.length === other.length
  if (!isSameList && !(isRecord(one) && isRecord(other))) return [{ p: path, o: 'replace', v: other }]
  return Object.entries(other as object).flatMap(([name, value]) =>
    // a list or an object, as seen just now
    changesOf((one as Record<string, unknown>)[name], value, `${path}/${name}`),
  )
}

const HUGE_TEXT = 'x'.repeat(1_200_000)

/** The events of an answer with a fault worked in. */
function* faulty(events: Iterator<AnswerEvent>, fault: WebFault | undefined): Generator<AnswerEvent, AnswerEnd> {
  const after = fault !== undefined && 'after_tokens' in fault ? fault.after_tokens : Infinity
  if (fault?.kind === 'huge_line') yield line({ message: null, padding: HUGE_TEXT })
  if (fault?.kind === 'odd') yield* ODD
  let tokens = 0
  for (let next = events.next(); !next.done; next = events.next()) {
    if (tokens >= after && fault !== undefined) {
      const end = endOf(fault)
      if (end !== undefined) return end
      if (fault.kind === 'error') {
        yield line({ message: null, error: fault.message, code: fault.code })
        return 'complete'
      }
      if (fault.kind === 'malformed' && tokens === after) yield { data: '{"message": {"id": "broken', added: '' }
    }
    yield next.value
    if (next.value !== null && next.value.added !== '') tokens += 1
  }
  return fault?.kind === 'no_done' ? 'no_done' : 'complete'
}

function endOf(fault: WebFault): AnswerEnd | undefined {
  if (fault.kind === 'cut' || fault.kind === 'stall') return fault.kind
  if (fault.kind === 'finish') return fault.done ? 'complete' : 'no_done'
  return undefined
}

const line = (body: unknown): AnswerEvent => ({ data: JSON.stringify(body), added: '' })

/** What upstreams send between the messages of an answer. */
const ODD: readonly AnswerEvent[] = [
  { raw: ': a comment\r\n\r\nevent: ping\r\ndata:\r\n\r\n', data: '', added: '' },
  {
    raw: 'id: 7\nretry: 100\ndata:{"type":"moderation","moderation_response":{"flagged":false}}\n\n',
    data: '',
    added: '',
  },
  line({ message: null, conversation_id: null, error: null }),
  line({ message: { id: 'without-content', author: { role: 'assistant' } }, error: null }),
  line({ message: { id: 7, author: null, content: { content_type: 'text', parts: [null, { a: 1 }] } } }),
  line(['an', 'array']),
  line('a text'),
  line(null),
]

/** After this many frames comes one of another conversation. */
const FOREIGN_EVERY = 5
const MAX_WAITING_BYTES = 1_000_000

/** The answer as frames of a WebSocket. `lost`: every nth frame is not sent, except the last. */
function frameStream(
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
