import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { create } from 'zustand'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { Branches } from '#web/thread/BranchSwitch.tsx'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { isLiving } from '../asks/askState.ts'
import type { ModelChoices } from '../conversation/modelChoice.ts'
import { type ConversationView, useOtherAsk } from '../conversation/conversationView.ts'
import { selectBranch } from '../conversation/selectBranch.ts'

/**
 * What can be done now with the branches of a conversation. It changes rarely, because every row of a thread reads it.
 */
export type BranchActions = {
  source: Source
  /** The model that the next question goes to, and all that may be chosen. */
  model: string | null
  models: readonly ModelChoice[]
  /** Why no other branch may be selected now: a question is being answered. */
  busy: string | null
  /** Why nothing may be asked now. */
  cannotAsk: string | null
  /** The question that the server does not have yet, under the id of its ask. */
  unsent: string | null
  /** The latest values, for event handlers to read when they run. */
  current(): CurrentConversation
}

type CurrentConversation = {
  history: ConversationHistory
  choice: ModelChoices | null
  /** Opens another conversation, or a new one. */
  onShow(id: string | null): void
}

/** Null where a conversation is not stored yet, or only read. */
export const BranchActions = createContext<BranchActions | null>(null)

export const useBranchActions = (): BranchActions | null => useContext(BranchActions)

/** The question that is being edited; one at a time. */
export const useEditing = create<{ message_id: string | null }>(() => ({ message_id: null }))

export function editQuestion(message_id: string | null): void {
  useEditing.setState({ message_id })
}

type BranchState = {
  /** Null while the conversation is not stored. */
  actions: BranchActions | null
  branches: Branches | null
  /** The message whose branch was selected last. */
  selected: string | null
}

export function useBranches(view: ConversationView, onShow: (id: string | null) => void): BranchState {
  const { id, key, history, mapping, messages, target } = view
  const actions = useActions(view, onShow)
  const busy = actions?.busy ?? null
  const [selected, setSelected] = useState<{ reading: string; message_id: string } | null>(null)
  // The address stops naming a message when the reader goes to another one.
  const leaveTarget = target !== null && id !== null
  useEffect(() => {
    if (leaveTarget && busy !== null) onShow(id)
  }, [leaveTarget, busy, id, onShow])
  useEffect(() => () => editQuestion(null), [key])

  const branches = useMemo(
    (): Branches | null =>
      history && {
        conversation_id: history._id,
        mapping,
        busy,
        onBranch(message_id) {
          setSelected({ reading: key, message_id })
          if (leaveTarget) onShow(history._id)
          selectBranch(history, message_id)
        },
      },
    [history, mapping, busy, key, leaveTarget, onShow],
  )

  const last = messages.findLast(message => message.role === 'user' && textOf(message) !== '')
  const mayEdit =
    actions !== null && last !== undefined && busy === null && actions.cannotAsk === null && last.id !== actions.unsent
  useShortcut('editLast', mayEdit ? () => editQuestion(last.id) : null)
  return { actions, branches, selected: selected?.reading === key ? selected.message_id : null }
}

/**
 * The actions, the same object for as long as possible: a thread may have a thousand rows, which render again when it
 * changes.
 */
function useActions(
  { id, history, ask, choice }: ConversationView,
  onShow: (id: string | null) => void,
): BranchActions | null {
  const t = useTranslate()
  const otherWaits = useOtherAsk(id) !== null
  const busy = ask !== null && isLiving(ask.state) ? t('branches.whileAnswering') : null
  const cannotAsk = otherWaits ? t('composer.otherWaits') : choice === null ? t('newConversation.noSources') : null
  const unsent = ask?.ask_id ?? null
  const source = history?.source ?? null
  const model = choice?.model ?? null
  const models = useSameModels(choice?.models)
  const current = useRef<CurrentConversation | null>(null)
  // A layout effect, so that it is set in the same commit as the rows: on a slow device a button can be pressed before
  // passive effects run.
  useLayoutEffect(() => {
    current.current = history && { history, choice, onShow }
  })
  return useMemo(
    (): BranchActions | null =>
      source && {
        source,
        model,
        models,
        busy,
        cannotAsk,
        unsent,
        current: () => {
          if (current.current === null) throw new Error('no conversation is open')
          return current.current
        },
      },
    [source, model, models, busy, cannotAsk, unsent],
  )
}

/** The same array as long as the models are the same: the list is built again each time the account is read. */
function useSameModels(models: readonly ModelChoice[] = []): readonly ModelChoice[] {
  const key = JSON.stringify(models)
  return useMemo(() => JSON.parse(key) as ModelChoice[], [key]) // parsed from what was serialised one line above
}
