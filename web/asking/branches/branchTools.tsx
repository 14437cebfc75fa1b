import type { ReactNode } from 'react'
import type { Message } from '#contract/messages.ts'
import { BranchSwitch } from '#web/thread/BranchSwitch.tsx'
import { ToolButton } from '#web/thread/MessageActions.tsx'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import threadStyles from '#web/thread/thread.module.css'
import type { TurnTools } from '#web/thread/TurnView.tsx'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowBackUp, IconChevronDown, IconGitBranch, IconPencil, IconRefresh } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { toast } from '#web/foundation/toasts.ts'
import type { Turn } from '#web/messages/turn.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { answerAgain } from '../conversation/askActions.ts'
import { focusComposer, focusComposerWhereKeysAre } from '../composer/composerField.ts'
import { type BranchActions, editQuestion, useBranchActions, useEditing } from './branchActions.ts'
import styles from './branches.module.css'
import { forkConversationAt, withdrawQuestion } from '../conversation/changeTree.ts'

const QuestionEditor = lazyComponent(() => import('./QuestionEditor.tsx').then(module => module.QuestionEditor))

// Shared elements, so that React skips the icons when a row renders again.
const RETRY_ICON = <IconRefresh size={16} stroke={1.6} aria-hidden />
const MORE = <IconChevronDown size={12} stroke={1.6} aria-hidden />
const FORK = <IconGitBranch size={16} stroke={1.6} aria-hidden />
const EDIT = <IconPencil size={16} stroke={1.6} aria-hidden />
const WITHDRAW = <IconArrowBackUp size={16} stroke={1.6} aria-hidden />

/** The further actions on the messages of one's own conversation. */
export const BRANCH_TOOLS: TurnTools = { Answer: AnswerTools, Question: QuestionTools, Asked: EditableQuestion }

/** Under an answer: ask for another one, switch between those there are, continue from here in a new conversation. */
function AnswerTools({ turn: { question, replies } }: { turn: Turn; last: boolean }) {
  const t = useTranslate()
  const actions = useBranchActions()
  const end = replies.at(-1)?.id
  if (actions === null || end === undefined) return null
  const fork = async () => {
    const { history, onShow } = actions.current()
    const copy = await forkConversationAt(history._id, end)
    if (copy !== null) onShow(copy)
  }
  return (
    <>
      {question !== null && <Regenerate actions={actions} question_id={question.id} />}
      {pageSource(actions.source).forks && (
        <ToolButton
          label={t('branches.fork')}
          disabledReason={actions.busy}
          data-testid="message-fork"
          onClick={() => void fork()}
        >
          {FORK}
        </ToolButton>
      )}
      {replies.map(({ id }) => (
        <BranchSwitch key={id} message_id={id} />
      ))}
    </>
  )
}

function Regenerate({ actions, question_id }: { actions: BranchActions; question_id: string }) {
  const t = useTranslate()
  const modelName = useModelName()
  const { source, model: chosen, models } = actions
  const disabledReason = actions.busy ?? actions.cannotAsk
  const label = t('branches.regenerate')
  const again = (model: string | null) => {
    if (disabledReason !== null) toast.refusal(label, disabledReason)
    else if (model !== null) {
      answerAgain(actions.current().history._id, question_id, { source, model })
      focusComposerWhereKeysAre()
    }
  }
  return (
    <>
      <ToolButton
        label={label}
        disabledReason={disabledReason}
        data-testid="message-regenerate"
        onClick={() => again(chosen)}
      >
        {RETRY_ICON}
      </ToolButton>
      {models.length > 1 && (
        <MenuButton
          label={t('branches.otherModel')}
          className={`${threadStyles.action} ${styles.models}`}
          entries={models.map(({ code }) => ({
            label: modelName(code),
            chosen: code === chosen,
            run: () => again(code),
          }))}
        >
          {MORE}
        </MenuButton>
      )}
    </>
  )
}

/** Under a question: edit it, withdraw it, switch between its versions. */
function QuestionTools({ turn: { question, replies }, last }: { turn: Turn; last: boolean }) {
  const t = useTranslate()
  const actions = useBranchActions()
  // A question that the server does not have yet has no branches.
  if (actions === null || question === null || question.id === actions.unsent) return null
  const withdraw = async () => {
    const { history, onShow } = actions.current()
    const { withdrawn, conversation_id } = await withdrawQuestion(history, question, null)
    if (!withdrawn) return
    if (conversation_id === null) onShow(null)
    focusComposer()
  }
  return (
    <>
      <ToolButton
        label={t('branches.edit')}
        disabledReason={actions.busy ?? actions.cannotAsk}
        data-testid="message-edit"
        onClick={() => editQuestion(question.id)}
      >
        {EDIT}
      </ToolButton>
      {/* A question without an answer has a note below it with the same action in words. */}
      {(replies.length > 0 || !last || actions.busy !== null) && (
        <ToolButton
          label={t('ask.withdraw')}
          disabledReason={actions.busy}
          data-testid="message-withdraw"
          onClick={() => void withdraw()}
        >
          {WITHDRAW}
        </ToolButton>
      )}
      <BranchSwitch message_id={question.id} />
    </>
  )
}

/** A question, or the field in its place while it is edited. */
function EditableQuestion({ question, children }: { question: Message; children: ReactNode }) {
  const actions = useBranchActions()
  const isEdited = useEditing(({ message_id }) => message_id === question.id)
  return isEdited && actions !== null ? (
    <QuestionEditor actions={actions} question={question} fallback={children} onLoadError={() => editQuestion(null)} />
  ) : (
    children
  )
}
