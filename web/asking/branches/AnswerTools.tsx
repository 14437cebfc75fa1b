import { BranchSwitch } from '#web/thread/BranchSwitch.tsx'
import { ToolButton } from '#web/thread/MessageActions.tsx'
import threadStyles from '#web/thread/thread.module.css'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown, IconGitBranch, IconRefresh } from '#web/kit/icons.ts'
import { toast } from '#web/foundation/toasts.ts'
import type { Turn } from '#web/messages/turn.ts'
import { answerAgain } from '../askActions.ts'
import { focusComposerWhereKeysAre } from '../composer/composerField.ts'
import { type BranchDesk, useBranchDesk } from './branchDesk.ts'
import styles from './branches.module.css'
import { forkAt } from './forkAt.ts'

// Shared elements, so that React skips the icons when a row renders again.
const AGAIN = <IconRefresh size={16} stroke={1.6} aria-hidden />
const MORE = <IconChevronDown size={12} stroke={1.6} aria-hidden />
const FORK = <IconGitBranch size={16} stroke={1.6} aria-hidden />

/** Under an answer: ask for another one, look at those there are, go on from here in a new conversation. */
export function AnswerTools({ turn: { question, replies } }: { turn: Turn; last: boolean }) {
  const t = useTranslate()
  const desk = useBranchDesk()
  const end = replies.at(-1)?.id
  if (desk === null || end === undefined) return null
  const fork = async () => {
    const { history, onShow } = desk.now()
    const copy = await forkAt(history._id, end)
    if (copy !== null) onShow(copy)
  }
  return (
    <>
      {question !== null && <Regenerate desk={desk} question_id={question.id} />}
      {desk.source === 'openai_api' && (
        <ToolButton
          label={t('branches.fork')}
          disabledReason={desk.busy}
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

function Regenerate({ desk, question_id }: { desk: BranchDesk; question_id: string }) {
  const t = useTranslate()
  const modelName = useModelName()
  const { source, model: chosen, models } = desk
  const hindrance = desk.busy ?? desk.notNow
  const label = t('branches.regenerate')
  const again = (model: string | null) => {
    if (hindrance !== null) toast.refusal(label, hindrance)
    else if (model !== null) {
      answerAgain(desk.now().history._id, question_id, { source, model })
      focusComposerWhereKeysAre()
    }
  }
  return (
    <>
      <ToolButton
        label={label}
        disabledReason={hindrance}
        data-testid="message-regenerate"
        onClick={() => again(chosen)}
      >
        {AGAIN}
      </ToolButton>
      {models.length > 1 && (
        <MenuButton
          label={t('branches.otherModel')}
          className={`${threadStyles.action} ${styles.models}`}
          entries={models.map(({ code }) => ({
            label: modelName(code) ?? code,
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
