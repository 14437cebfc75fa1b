import { type ReactNode, useRef } from 'react'
import type { Source } from '#contract/models.ts'
import { ConversationMenu } from '#web/conversations/ConversationMenu.tsx'
import { useMark } from '#web/conversations/useMark.ts'
import { useConversations } from '#web/conversations/useConversations.ts'
import { startRenaming, TitleInput, useIsRenaming } from '#web/conversations/TitleInput.tsx'
import { MeterPill } from '#web/conversations/sharedMeter/SharedMeter.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { InstructionsLine } from '#web/instructions/lazyInstructions.ts'
import { OversightLine } from '#web/oversight/lazyOversight.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { pageSource } from '#web/sources/list/list.ts'
import styles from './screen.module.css'

type ConversationHeaderProps = {
  /** Null while the conversation is not stored. */
  id: string | null
  title: string
  source: Source | null
  /** What the source shows of the conversation. */
  parts: ReactNode
  /** Whether the list, with the meter at its foot, has its own column. */
  wide: boolean
}

/** The middle of the header: title, source and what it shows, actions. */
export function ConversationHeader({ id, title, source, parts, wide }: ConversationHeaderProps) {
  const t = useTranslate()
  const renaming = useIsRenaming(id, 'header')
  const record = useConversations().data?.find(({ conversation_id }) => conversation_id === id)
  const mark = useMark(record)
  return (
    <>
      <span className={styles.names}>
        <Title id={id} title={title} />
        {source !== null && !renaming && (
          <span className={styles.instructed}>
            <InstructionsLine
              key={id}
              id={id}
              isSent={!pageSource(source).keepsConversations}
              onLoadError={() => undefined}
            />
            <OversightLine id={id} needed={false} onLoadError={() => undefined} />
          </span>
        )}
      </span>
      {source !== null && (
        <span className={styles.source}>
          <Tag tone="outline">{t(`sources.${source}`)}</Tag>
          {mark !== null && <Tag tone="outline">{mark}</Tag>}
        </span>
      )}
      {parts}
      {id !== null && !renaming && (
        <ConversationMenu
          key={id}
          id={id}
          title={title}
          label={t('conversations.actions')}
          open
          onRename={() => startRenaming(id, 'header')}
        />
      )}
      {/* A narrow header has no room for it beside the field. */}
      {!wide && !renaming && <MeterPill />}
    </>
  )
}

function Title({ id, title }: { id: string | null; title: string }) {
  const t = useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  const renaming = useIsRenaming(id, 'header')
  if (id === null)
    return (
      <span dir="auto" className={styles.title}>
        {title}
      </span>
    )
  if (renaming)
    return (
      <span className={styles.titleField}>
        <TitleInput id={id} title={title} onLeft={() => setTimeout(() => button.current?.focus())} />
      </span>
    )
  return (
    <button
      type="button"
      ref={button}
      dir="auto"
      className={`${styles.title} ${styles.renaming}`}
      title={t('conversations.renameHint')}
      onClick={() => startRenaming(id, 'header')}
    >
      {title}
    </button>
  )
}
