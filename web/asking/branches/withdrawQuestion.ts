import { type ConversationHistory, NEW_CONVERSATION, withdrawQuestion as withdraw } from '#contract/conversations.ts'
import { branchOf, withoutBranch } from '#contract/messageTree.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { notifyTabs } from '#web/conversations/conversationEvents.ts'
import { historyQuery, listQuery } from '#web/conversations/useConversations.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import type { Ask } from '../askState.ts'
import { dismissAsk } from '../asks.ts'
import { putBackFiles, settleFiles } from '../drafts/draftFiles.tsx'
import { holdConversation } from '../drafts/unsaved.ts'
import { ownDrafts } from '../drafts/useDraft.ts'
import { takePlace } from './lookAt.ts'
import { onceAtATime } from './onceAtATime.ts'

/** Whether it was taken back, and in which conversation its text is now: null is a new one. */
type Withdrawn = { left: boolean; conversation_id: string | null }

/** Takes a question off the screen and its text back to where it was written. Asks first only when an answer would go along. */
export async function withdrawQuestion(
  history: ConversationHistory,
  question: Message,
  ask: Ask | null,
): Promise<Withdrawn> {
  return (
    (await onceAtATime(`withdraw ${question.id}`, () => takeBack(history, question, ask))) ?? {
      left: false,
      conversation_id: history._id,
    }
  )
}

async function takeBack(history: ConversationHistory, question: Message, ask: Ask | null): Promise<Withdrawn> {
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
  if (!sure) return { left: false, conversation_id: id }
  try {
    const { current_node } = await call(withdraw, { params: { id, message_id: question.id } })
    if (ask !== null) dismissAsk(ask.ask_id)
    const isGone = current_node === null
    if (isGone) leaveBehind(history, ask)
    else takePlace(id, now => ({ ...now, mapping: withoutBranch(now.mapping, question.id), current_node }))
    // Whether it still ends with an unanswered question only the server knows.
    if (!isGone) void queryClient.invalidateQueries(listQuery)
    ownDrafts().putBack(isGone ? NEW_CONVERSATION : id, textOf(question))
    putBackFiles(isGone ? NEW_CONVERSATION : id, question)
    return { left: true, conversation_id: isGone ? null : id }
  } catch (error) {
    reportFailure(error)
    return { left: false, conversation_id: id }
  }
}

/** Nothing was left of it, so it is gone: what was chosen for it is chosen for the next one. */
function leaveBehind({ _id: id, source }: ConversationHistory, ask: Ask | null): void {
  const { model, new_title, openai_web_plugin_ids } = ask?.request ?? {}
  if (model !== undefined)
    holdConversation({ source, model, title: new_title ?? '', plugin_ids: openai_web_plugin_ids ?? [] })
  ownDrafts().move(id, NEW_CONVERSATION)
  settleFiles(id, NEW_CONVERSATION, {})
  queryClient.setQueryData(listQuery.queryKey, records => records?.filter(record => record.conversation_id !== id))
  queryClient.removeQueries({ queryKey: historyQuery(id).queryKey })
  notifyTabs({ conversation_id: id })
}
