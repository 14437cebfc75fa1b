import {
  type ConversationHistory,
  forkConversation,
  NEW_CONVERSATION,
  withdrawQuestion as withdraw,
} from '#contract/conversations.ts'
import { branchOf, withoutBranch } from '#contract/messageTree.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { historyQuery, listQuery, notifyTabs } from '#web/conversations/useConversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { toast } from '#web/foundation/toasts.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { updateCachedHistory } from '../asks/askCache.ts'
import type { Ask } from '../asks/askState.ts'
import { dismissAsk } from '../asks/asks.ts'
import { useUnsavedInstructions } from '#web/instructions/unsavedInstructions.ts'
import { putBackFiles, settleFiles } from '../drafts/draftFiles.tsx'
import { holdConversation } from '../drafts/unsaved.ts'
import { ownDrafts } from '../drafts/useDraft.ts'

const underWay = new Set<string>()

/**
 * Runs the work, unless the same work is under way already, as after pressing a button twice: then resolves to null.
 */
async function onceAtATime<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  if (underWay.has(name)) return null
  underWay.add(name)
  try {
    return await work()
  } finally {
    underWay.delete(name)
  }
}

/** Resolves to the id of the copy; null when copying failed, which was reported, or is under way already. */
export function forkConversationAt(id: string, message_id: string): Promise<string | null> {
  return onceAtATime(`fork ${id}`, async () => {
    try {
      const record = await call(forkConversation, { params: { id }, query: { message_id } })
      queryClient.setQueryData(listQuery.queryKey, records => records && [record, ...records])
      toast.success(t('branches.forked'), record.title ?? '')
      return record.conversation_id
    } catch (error) {
      reportFailure(error)
      return null
    }
  })
}

/**
 * Whether the question was withdrawn, and the conversation whose draft its text has become, null for a new
 * conversation.
 */
type Withdrawn = { withdrawn: boolean; conversation_id: string | null }

/**
 * Removes a question and makes its text a draft again. Asks for confirmation only when an answer is removed with it.
 */
export async function withdrawQuestion(
  history: ConversationHistory,
  question: Message,
  ask: Ask | null,
): Promise<Withdrawn> {
  return (
    (await onceAtATime(`withdraw ${question.id}`, () => withdrawOnce(history, question, ask))) ?? {
      withdrawn: false,
      conversation_id: history._id,
    }
  )
}

async function withdrawOnce(history: ConversationHistory, question: Message, ask: Ask | null): Promise<Withdrawn> {
  const { _id: id, mapping } = history
  const answered = [...branchOf(mapping, question.id)].some(each => mapping[each]?.role !== 'user')
  const sure =
    !answered ||
    (await confirm({
      title: t('branches.withdrawTitle'),
      text: t('branches.withdrawText'),
      verb: t('ask.withdraw'),
      danger: true,
    }))
  if (!sure) return { withdrawn: false, conversation_id: id }
  try {
    const { current_node } = await call(withdraw, { params: { id, message_id: question.id } })
    if (ask !== null) dismissAsk(ask.ask_id)
    const isGone = current_node === null
    if (isGone) forgetConversation(history, ask)
    else updateCachedHistory(id, now => ({ ...now, mapping: withoutBranch(now.mapping, question.id), current_node }))
    // Only the server knows whether the conversation still ends with an unanswered question.
    if (!isGone) void queryClient.invalidateQueries(listQuery)
    ownDrafts().putBack(isGone ? NEW_CONVERSATION : id, textOf(question))
    putBackFiles(isGone ? NEW_CONVERSATION : id, question)
    return { withdrawn: true, conversation_id: isGone ? null : id }
  } catch (error) {
    reportFailure(error)
    return { withdrawn: false, conversation_id: id }
  }
}

/**
 * The server has removed the conversation with its only question: its model and drafts become those of the next
 * conversation.
 */
function forgetConversation({ _id: id, source }: ConversationHistory, ask: Ask | null): void {
  const request = ask?.request ?? null
  if (request !== null) {
    const fields = pageSource(source).newConversation?.fieldsOf(request) ?? {}
    holdConversation({ source, model: request.model, title: request.new_title ?? '', fields })
    useUnsavedInstructions.setState({ instructions: request.instructions ?? null })
  }
  ownDrafts().move(id, NEW_CONVERSATION)
  settleFiles(id, NEW_CONVERSATION, {})
  queryClient.setQueryData(listQuery.queryKey, records => records?.filter(record => record.conversation_id !== id))
  queryClient.removeQueries({ queryKey: historyQuery(id).queryKey })
  notifyTabs({ conversation_id: id })
}
