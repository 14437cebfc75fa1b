import { type FormEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { attachmentsOf, type Message, textOf } from '#contract/messages.ts'
import type { ModelChoice } from '#contract/models.ts'
import { prepareToAsk } from '#web/foundation/browserConnection.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { useModel, usePortal } from '#web/foundation/portal.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { AttachmentCard } from '#web/messages/AttachmentCard.tsx'
import { useFileFacts } from '#web/messages/attached/fileFacts.ts'
import { keptWith } from '#web/messages/metadata.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { askBeside } from '../conversation/askActions.ts'
import { focusComposerWhereKeysAre } from '../composer/composerField.ts'
import composerStyles from '../composer/composer.module.css'
import { sends } from '../composer/sendKey.ts'
import { useAutosize } from '../composer/composerField.ts'
import { ownDrafts } from '../drafts/useDraft.ts'
import { noFilesBecause } from '../drafts/draftFiles.tsx'
import { type BranchActions, editQuestion } from './branchActions.ts'
import styles from './branches.module.css'

/** Edits a question in place, to be asked again. The text of a cancelled edit is kept for the next one. */
export function QuestionEditor({ actions, question }: { actions: BranchActions; question: Message }) {
  const t = useTranslate()
  const hint = useId()
  const { sendKey } = usePreferences()
  const most = usePortal()?.max_text_length ?? Infinity
  const { text, write, leave, forget } = useEdit(actions.current().history._id, question)
  const field = useAutosize(text)
  useEffect(() => {
    const textarea = field.current
    textarea?.focus()
    textarea?.setSelectionRange(textarea.value.length, textarea.value.length)
  }, [field])
  const model = useModel(actions)
  const kept = useKeptFiles(question)
  const unread = useUnread(actions, model, kept.attachments.length)
  const disabledReason =
    actions.busy ??
    actions.cannotAsk ??
    (text.length > most ? t('composer.tooLong', { length: text.length, most }) : unread === null ? null : t(unread))
  const maySend = disabledReason === null && text.trim() !== ''
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    const { history, choice } = actions.current()
    if (!maySend || choice === null) return
    forget()
    const fields = pageSource(choice.source).files?.fieldsOf(model, question, kept.without) ?? {}
    askBeside(history._id, question, choice, { text_content: text.trim(), ...fields })
    focusComposerWhereKeysAre()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && !isForInputMethod(event.nativeEvent)) {
      event.preventDefault()
      event.stopPropagation()
      leave()
    } else if (event.target === field.current && sends(event.nativeEvent, sendKey)) {
      event.preventDefault()
      send()
    }
  }
  return (
    <form className={styles.editor} onSubmit={send}>
      <EditedFiles attachments={kept.attachments} onRemove={kept.remove} />
      <textarea
        ref={field}
        className={`bare-field ${composerStyles.question} ${styles.field}`}
        data-testid="message-editor"
        rows={1}
        value={text}
        aria-label={t('branches.editLabel')}
        aria-describedby={hint}
        enterKeyHint={sendKey === 'Enter' ? 'send' : 'enter'}
        onChange={event => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.editorFoot}>
        <span className={styles.kept} id={hint}>
          {disabledReason ?? t('branches.kept')}
        </span>
        <div className={styles.choices}>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            data-testid="message-edit-cancel"
            onKeyDown={onKeyDown}
            onClick={leave}
          >
            {t('branches.cancel')}
          </Button>
          <Button type="submit" size="xs" data-testid="message-edit-send" onKeyDown={onKeyDown} disabled={!maySend}>
            {t('branches.askAgain')}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The files of the question, which go with its new version unless they are removed, or gone already. */
function useKeptFiles(question: Message) {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const facts = useFileFacts(keptWith(question))
  const without = useMemo(() => {
    const gone = [...(facts?.values() ?? [])].filter(file => file.gone !== null)
    return new Set([...removed, ...gone.map(({ id }) => id)])
  }, [removed, facts])
  return {
    without,
    attachments: attachmentsOf(question).filter(({ id }) => !without.has(id)),
    remove: (id: string) => setRemoved(now => new Set([...now, id])),
  }
}

type EditedFilesProps = { attachments: ReturnType<typeof attachmentsOf>; onRemove(id: string): void }

function EditedFiles({ attachments, onRemove }: EditedFilesProps) {
  const t = useTranslate()
  const list = useRef<HTMLUListElement>(null)
  // The pressed button is unmounted with its file.
  const remove = (id: string) => {
    list.current?.closest('form')?.querySelector('textarea')?.focus()
    onRemove(id)
  }
  if (attachments.length === 0) return null
  return (
    <ul ref={list} className={styles.files} aria-label={t('files.label')}>
      {attachments.map(attachment => (
        <li key={attachment.id} className={styles.file}>
          <AttachmentCard attachment={attachment} />
          <SmallIconButton
            className={styles.removeFile}
            label={t('files.remove', { name: attachment.name })}
            onClick={() => remove(attachment.id)}
          >
            <IconX size={16} aria-hidden />
          </SmallIconButton>
        </li>
      ))}
    </ul>
  )
}

/** Why the chosen model cannot read the files of the question; null when it can, or there are none. */
function useUnread({ source }: BranchActions, model: ModelChoice | null, count: number) {
  const { user } = useSession()
  return count === 0 || model === null || user === null ? null : noFilesBecause(source, model, user.setting)
}

function useEdit(conversation_id: string, question: Message) {
  const draft = `${conversation_id}/${question.id}`
  const before = textOf(question)
  const [text, setText] = useState(() => ownDrafts().read(draft) || before)
  const write = (next: string) => {
    setText(next)
    ownDrafts().keep(draft, next === before ? '' : next)
    prepareToAsk()
  }
  const leave = () => {
    editQuestion(null)
    // The button that opened the editor is mounted again by then.
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-message-id="${CSS.escape(question.id)}"]`)
        ?.parentElement?.querySelector<HTMLElement>('[data-testid=message-edit]')
        ?.focus(),
    )
  }
  const forget = () => {
    ownDrafts().keep(draft, '')
    editQuestion(null)
  }
  return { text, write, leave, forget }
}
