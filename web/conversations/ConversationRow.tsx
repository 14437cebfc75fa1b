import { createContext, memo, type ReactNode, useContext, useRef } from 'react'
import { Link } from '@tanstack/react-router'
import { type ConversationRecord, NEW_CONVERSATION } from '#contract/conversations.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/Dots.tsx'
import { ConversationMenu } from './ConversationMenu.tsx'
import styles from './sidebar.module.css'
import { startRenaming, TitleInput, useIsRenaming } from './TitleInput.tsx'
import { useMark } from './useMark.ts'

/** The state that a row shows as text. */
export type RowState =
  | { kind: 'replying' }
  | { kind: 'queueing'; position: number }
  /** It waits until nobody else does; it never came to that. */
  | { kind: 'quiet' }
  | { kind: 'quietOver' }
  | { kind: 'answered' }
  | { kind: 'interrupted' }
  | { kind: 'failed' }

type ConversationRowProps = { record: ConversationRecord; open: boolean; state: RowState | undefined }

/** The title, and at its end the state in words or, under the pointer, the menu. */
export const ConversationRow = memo(function ConversationRow({ record, open, state }: ConversationRowProps) {
  const t = useTranslate()
  const row = useRef<HTMLLIElement>(null)
  const id = record.id === UNSAVED ? null : record.conversation_id
  const renaming = useIsRenaming(id, 'row')
  const mark = useMark(record)
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
      {state === undefined && record.read_only !== undefined ? (
        <span className={styles.mark}>{t('history.readOnly')}</span>
      ) : (
        state === undefined && mark !== null && <span className={styles.mark}>{mark}</span>
      )}
      {state !== undefined && <StateMark state={state} />}
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

function StateMark({ state }: { state: RowState }) {
  const t = useTranslate()
  switch (state.kind) {
    case 'replying':
      return (
        <span className={styles.mark}>
          <BreathingDot size={8} />
          {t('conversations.replying')}
        </span>
      )
    case 'queueing':
      return (
        <span className={`${styles.mark} ${styles.amber}`}>
          <span className={styles.seat} aria-hidden="true" />
          <span>{t('conversations.place', { place: state.position })}</span>
        </span>
      )
    case 'quiet':
      return (
        <span className={styles.mark}>
          <span className={styles.seat} aria-hidden="true" />
          <span>{t('conversations.quiet')}</span>
        </span>
      )
    case 'quietOver':
      return <span className={`${styles.mark} ${styles.amber}`}>{t('conversations.quietOver')}</span>
    case 'answered':
      return <span className={`${styles.mark} ${styles.green}`}>{t('conversations.answered')}</span>
    case 'interrupted':
      return <span className={`${styles.mark} ${styles.amber}`}>{t('conversations.interrupted')}</span>
    case 'failed':
      return <span className={`${styles.mark} ${styles.red}`}>{t('conversations.failed')}</span>
  }
}

/** Called when a link to a conversation is followed: on a phone the drawer closes. */
export const OnLinkFollowed = createContext<(() => void) | undefined>(undefined)

type ConversationLinkProps = {
  id: string | null
  /** A message in it to scroll to. */
  message?: string
  current: boolean
  className: string | undefined
  dir?: 'auto'
  'data-testid'?: string
  children: ReactNode
}

/** An ordinary link, so that new tabs, bookmarks and the back button work. */
export function ConversationLink({ id, message, current, children, ...rest }: ConversationLinkProps) {
  const onFollowed = useContext(OnLinkFollowed)
  const search = id === null || id === NEW_CONVERSATION ? {} : { id }
  return (
    <Link
      to="/conversation"
      search={search}
      hash={message}
      {...rest}
      aria-current={current ? 'page' : undefined}
      onClick={onFollowed}
    >
      {children}
    </Link>
  )
}
