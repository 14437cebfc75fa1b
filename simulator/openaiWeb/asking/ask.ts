import { sendJson } from '../../http.ts'
import { type WebCall, refuseByFault } from '../call.ts'
import { addMessage } from '../conversation.ts'
import { titleOf } from '../conversations.ts'
import { type WebFault, webFaultFrom } from '../faults.ts'
import { now, textOf, type WebMessage } from '../messages.ts'
import { asDeltas } from './deltaEvents.ts'
import { answerOf, type WebAnswer } from './answer.ts'
import { faulty } from './oddEvents.ts'
import { readAsk, takeQuestion, type WebAsk } from './request.ts'
import { frameStream } from './socket.ts'
import { type AnswerEvent, eventsOf } from './steps.ts'
import { eventStream, writeAnswer } from './writer.ts'

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
