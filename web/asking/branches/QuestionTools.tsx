import { BranchSwitch } from '#web/thread/BranchSwitch.tsx'
import { ToolButton } from '#web/thread/MessageActions.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowBackUp, IconPencil } from '#web/kit/icons.ts'
import type { Turn } from '#web/messages/turn.ts'
import { focusComposer } from '../composer/composerField.ts'
import { useBranchDesk } from './branchDesk.ts'
import { editQuestion } from './editing.ts'
import { withdrawQuestion } from './withdrawQuestion.ts'

// Shared elements, so that React skips the icons when a row renders again.
const EDIT = <IconPencil size={16} stroke={1.6} aria-hidden />
const WITHDRAW = <IconArrowBackUp size={16} stroke={1.6} aria-hidden />

/** Under a question: change it, take it back, look at its other versions. */
export function QuestionTools({ turn: { question, replies }, last }: { turn: Turn; last: boolean }) {
  const t = useTranslate()
  const desk = useBranchDesk()
  // A question that the server does not have yet has no branches.
  if (desk === null || question === null || question.id === desk.unsent) return null
  const withdraw = async () => {
    const { history, onShow } = desk.now()
    const { left, conversation_id } = await withdrawQuestion(history, question, null)
    if (!left) return
    if (conversation_id === null) onShow(null)
    focusComposer()
  }
  return (
    <>
      <ToolButton
        label={t('branches.edit')}
        disabledReason={desk.busy ?? desk.notNow}
        data-testid="message-edit"
        onClick={() => editQuestion(question.id)}
      >
        {EDIT}
      </ToolButton>
      {/* The note under a question without an answer has the same, in words. */}
      {(replies.length > 0 || !last || desk.busy !== null) && (
        <ToolButton
          label={t('ask.withdraw')}
          disabledReason={desk.busy}
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
