import { type AskRequest, CONTINUE } from '#contract/asking.ts'
import { type ConversationHistory, NEW_CONVERSATION } from '#contract/conversations.ts'
import { isUnanswered } from '#contract/messageTree.ts'
import type { Message } from '#contract/messages.ts'
import type { AskFiles } from '#web/files/askFiles.ts'
import { beginAsk, dismissAsk } from './asks.ts'
import type { Ask } from './askState.ts'
import { leavePath } from './branches/lookAt.ts'
import { withdrawQuestion } from './branches/withdrawQuestion.ts'
import { ownDrafts } from './drafts/useDraft.ts'
import type { ModelChoices } from './composer/modelChoice.tsx'

type With = Pick<ModelChoices, 'source' | 'model'>

/** A question without an answer, or an answer that failed. */
export type Unanswered =
  /** The server has not taken it. */
  | { kind: 'unsent'; ask: Ask; text: string }
  /** It is in the conversation, and can be answered there. */
  | { kind: 'stored'; question: Message; ask: Ask | null }
  /** A further answer to a question that has one, or more of one: what there was is still there. */
  | { kind: 'again'; ask: Ask }

/** `last` is the question at the end of the path, if there is one. */
export function unansweredOf(
  ask: Ask | null,
  last: Message | null,
  history: ConversationHistory | null,
): Unanswered | null {
  if (ask === null) return last === null ? null : { kind: 'stored', question: last, ask }
  const { request, question } = ask
  if (request?.text_content === CONTINUE && question === null) {
    const parent = history?.mapping[request.parent ?? '']
    return parent?.role === 'user' && history !== null && isUnanswered(history.mapping, parent.id)
      ? { kind: 'stored', question: parent, ask }
      : { kind: 'again', ask }
  }
  const stored = question !== null && question.id !== ask.ask_id ? question : last
  if (stored !== null && stored.id !== ask.ask_id) return { kind: 'stored', question: stored, ask }
  return request === null ? { kind: 'again', ask } : { kind: 'unsent', ask, text: request.text_content }
}

/** Answers a question that stands there, once more if it has been answered. */
export function answerAgain(conversation_id: string, question_id: string, { source, model }: With): void {
  leavePath(conversation_id)
  beginAsk({ source, model, new_conversation: false, text_content: CONTINUE, conversation_id, parent: question_id })
}

/** Asks beside a question, which stays with its answers. */
export function askBeside(
  conversation_id: string,
  { id, parent }: Message,
  { source, model }: With,
  asked: Pick<AskRequest, 'text_content'> & AskFiles,
): void {
  leavePath(conversation_id)
  beginAsk({ source, model, new_conversation: false, ...asked, conversation_id, parent, variant_of: id })
}

export function tryAgain(unanswered: Unanswered, history: ConversationHistory | null, { source, model }: With): void {
  if (unanswered.kind === 'stored') {
    if (history !== null) answerAgain(history._id, unanswered.question.id, { source, model })
    return
  }
  const { request, ask_id } = unanswered.ask
  dismissAsk(ask_id)
  if (request !== null) beginAsk({ ...request, source, model })
}

/** Removes what failed from the screen; the text of a question goes back to its composer. Returns whether the conversation is gone. */
export async function giveUp(unanswered: Unanswered, history: ConversationHistory | null): Promise<boolean> {
  if (unanswered.kind === 'stored') {
    if (history === null) return false
    const { left, conversation_id } = await withdrawQuestion(history, unanswered.question, unanswered.ask)
    return left && conversation_id === null
  }
  dismissAsk(unanswered.ask.ask_id)
  if (unanswered.kind === 'unsent') ownDrafts().putBack(history?._id ?? NEW_CONVERSATION, unanswered.text)
  return false
}
