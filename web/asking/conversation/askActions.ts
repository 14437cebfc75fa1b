import { type AskRequest, CONTINUE } from '#contract/asking.ts'
import { type ConversationHistory, NEW_CONVERSATION } from '#contract/conversations.ts'
import { isUnanswered } from '#contract/messageTree.ts'
import type { Message } from '#contract/messages.ts'
import type { AskFields } from '#web/sources/source.ts'
import { beginAsk, dismissAsk } from '../asks/asks.ts'
import type { Ask } from '../asks/askState.ts'
import { nextParent } from '../asks/askHistory.ts'
import { withdrawQuestion } from './changeTree.ts'
import { rememberPath } from './selectBranch.ts'
import type { ModelChoices } from './modelChoice.ts'
import { useUnsavedInstructions } from '#web/instructions/unsavedInstructions.ts'
import { useUnsaved } from '../drafts/unsaved.ts'
import { ownDrafts } from '../drafts/useDraft.ts'

type Model = Pick<ModelChoices, 'source' | 'model'> & Partial<Pick<ModelChoices, 'level'>>

/** The model as a request names it, with how hard it is to think. */
const modelFields = ({ source, model, level = null }: Model): Pick<AskRequest, 'source' | 'model' | 'parameters'> => ({
  source,
  model,
  ...(level !== null && { parameters: { reasoning_effort: level } }),
})

/** Asks in this conversation, or begins the new one. */
export function askIn(
  history: ConversationHistory | null,
  model: Model,
  text_content: string,
  files: AskFields = {},
): void {
  if (history !== null) {
    const parent = text_content === CONTINUE ? { parent: history.current_node } : nextParent(history)
    const conversation_id = history._id
    beginAsk({ ...modelFields(model), new_conversation: false, text_content, conversation_id, ...parent, ...files })
    return
  }
  const { title, fields } = useUnsaved.getState().unsaved ?? { title: '', fields: {} }
  const { instructions } = useUnsavedInstructions.getState()
  beginAsk({
    ...modelFields(model),
    new_conversation: true,
    text_content,
    ...(title !== '' && { new_title: title }),
    ...(instructions !== null && { instructions }),
    ...fields,
    ...files,
  })
}

/** A question without an answer, or an answer that failed. */
export type Unanswered =
  /** The server has not accepted it. */
  | { kind: 'unsent'; ask: Ask; text: string }
  /** It is in the conversation, and can be answered again there. */
  | { kind: 'stored'; question: Message; ask: Ask | null }
  /** It was another answer to a question that has one, or the continuation of one: the earlier answer stays. */
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

/** Asks for an answer to a question of the conversation, or for another one. */
export function answerAgain(conversation_id: string, question_id: string, model: Model): void {
  rememberPath(conversation_id)
  const again = { new_conversation: false, text_content: CONTINUE, conversation_id, parent: question_id }
  beginAsk({ ...modelFields(model), ...again })
}

/** Asks another version of a question; the question and its answers stay. */
export function askBeside(
  conversation_id: string,
  { id, parent }: Message,
  model: Model,
  asked: Pick<AskRequest, 'text_content'> & AskFields,
): void {
  rememberPath(conversation_id)
  beginAsk({ ...modelFields(model), new_conversation: false, ...asked, conversation_id, parent, variant_of: id })
}

export function tryAgain(unanswered: Unanswered, history: ConversationHistory | null, model: Model): void {
  if (unanswered.kind === 'stored') {
    if (history !== null) answerAgain(history._id, unanswered.question.id, model)
    return
  }
  const { request, ask_id } = unanswered.ask
  dismissAsk(ask_id)
  if (request !== null) beginAsk({ ...request, ...modelFields(model) })
}

/**
 * Removes the failed ask from the screen; the text of a question goes back to its composer. Returns whether the
 * conversation was removed with it.
 */
export async function giveUp(unanswered: Unanswered, history: ConversationHistory | null): Promise<boolean> {
  if (unanswered.kind === 'stored') {
    if (history === null) return false
    const { withdrawn, conversation_id } = await withdrawQuestion(history, unanswered.question, unanswered.ask)
    return withdrawn && conversation_id === null
  }
  dismissAsk(unanswered.ask.ask_id)
  if (unanswered.kind === 'unsent') ownDrafts().putBack(history?._id ?? NEW_CONVERSATION, unanswered.text)
  return false
}
