import { memo, useRef } from 'react'
import type { ConversationRecord } from '#contract/conversations.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ConversationLink } from './ConversationLink.tsx'
import { ConversationMenu } from './ConversationMenu.tsx'
import { startRenaming, useIsRenaming } from './renaming.ts'
import { RowMark } from './RowMark.tsx'
import type { RowState } from './rowState.ts'
import styles from './sidebar.module.css'
import { TitleInput } from './TitleInput.tsx'

type ConversationRowProps = { record: ConversationRecord; open: boolean; state: RowState | undefined }

/** One line: the title, and at its end the state in words or, under the pointer, the actions. */
export const ConversationRow = memo(function ConversationRow({ record, open, state }: ConversationRowProps) {
  const t = useTranslate()
  const row = useRef<HTMLLIElement>(null)
  const id = record.id === UNSAVED ? null : record.conversation_id
  const renaming = useIsRenaming(id, 'row')
  const title = record.title || t('conversations.untitled')
  const rename = () => {
    if (id !== null) startRenaming(id, 'row')
  }
  const focusLink = () => setTimeout(() => row.current?.querySelector('a')?.focus())
  return (
    <li
      ref={row}
      className={open ? styles.openRow : styles.row}
      title={title}
      data-testid="conversation-row"
      data-conversation-id={record.conversation_id}
      data-stored={id !== null || undefined}
    >
      {renaming && id !== null ? (
        <TitleInput id={id} title={record.title ?? ''} onLeft={focusLink} />
      ) : (
        <ConversationLink id={record.conversation_id} dir="auto" className={styles.link} current={open}>
          {title}
        </ConversationLink>
      )}
      {state !== undefined && <RowMark state={state} />}
      {id !== null && !renaming && (
        <span className={styles.rowMenu}>
          <ConversationMenu
            id={id}
            title={title}
            label={t('conversations.actionsOf', { title })}
            open={open}
            onRename={rename}
          />
        </span>
      )}
    </li>
  )
})

/** The specification, section 4: the id of a conversation that is not stored yet. */
const UNSAVED = -1
