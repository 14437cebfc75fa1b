import type { WebCall } from '../call.ts'
import { addMessage } from '../conversation.ts'
import { titleOf } from '../conversations.ts'
import { now, type WebMessage } from '../messages.ts'
import { answerOf, type WebAnswer } from './answer.ts'
import { readAsk, type WebAsk } from './request.ts'
import { type AnswerEvent, eventsOf } from './steps.ts'
import { writeEvents } from './writer.ts'

/** POST conversation */
export function ask(call: WebCall) {
  const taken = readAsk(call)
  if (!taken) return
  const answer = answerOf(taken, call)
  writeEvents(call, answerEvents(call, taken, answer), answer.directives.pace)
}

/** The question again, the messages of the answer as they grow, and a title for a new conversation. */
function* answerEvents(call: WebCall, taken: WebAsk, answer: WebAnswer): Generator<AnswerEvent> {
  const { conversation } = taken
  let parent = taken.parent
  const eventFor = (message: WebMessage, added = ''): AnswerEvent => ({
    data: JSON.stringify({ message, conversation_id: conversation.id, error: null }),
    added,
  })

  if (taken.question) {
    addMessage(conversation, taken.question, parent)
    call.account.changed()
    parent = taken.question.id
    yield eventFor(taken.question)
  }
  const chunk = Math.max(1, Number(answer.directives.words?.chunk) || 1)
  for (const step of answer.steps) {
    for (let passed = 0; passed < (step.delay ?? 0); passed += 1) yield null
    const message = { ...step.message, create_time: now() }
    if (message.author.name === 'python') conversation.interpreter_used = now()
    for (const event of eventsOf({ ...step, message }, chunk)) {
      // What was sent stays, also when the client leaves in the middle of it.
      const kept = event.is_last ? event.message : { ...event.message, status: 'finished_partial_completion' }
      addMessage(conversation, kept, parent)
      yield eventFor(event.message, event.added)
    }
    parent = step.message.id
  }
  if (taken.is_new && answer.directives.words?.title !== 'none') {
    conversation.title = titleOf(conversation)
    call.account.changed()
    yield {
      data: JSON.stringify({ type: 'title_generation', title: conversation.title, conversation_id: conversation.id }),
      added: '',
    }
  }
}
