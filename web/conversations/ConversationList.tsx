import { type SyntheticEvent, useMemo, useRef } from 'react'
import { Button } from '@mantine/core'
import type { ConversationRecord } from '#contract/conversations.ts'
import { formatMonth, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { ConversationRow } from './ConversationRow.tsx'
import { firstOf, groupsOf, type Span } from './groups.ts'
import { startRenaming } from './renaming.ts'
import { onRowKey } from './rowKeys.ts'
import type { RowState } from './rowState.ts'
import styles from './sidebar.module.css'
import { useGrowingList } from './useGrowingList.ts'
import { useOpenInView } from './useOpenInView.ts'

type ConversationListProps = {
  records: readonly ConversationRecord[] | undefined
  open: string | null
  states: ReadonlyMap<string, RowState>
  failed: boolean
  onRetry(): void
}

/** One's own conversations, the newest first, by when they were last used. */
export function ConversationList({ records, open, states, failed, onRetry }: ConversationListProps) {
  const t = useTranslate()
  const now = useNow(60_000)
  const list = useRef<HTMLDivElement>(null)
  const groups = useMemo(() => groupsOf(records ?? [], now), [records, now])
  const openAt = useMemo(
    () => groups.flatMap(group => group.records).findIndex(record => record.conversation_id === open),
    [groups, open],
  )
  const count = useGrowingList(list, records?.length ?? 0, openAt + 1)
  useOpenInView(list, open, openAt >= 0)
  return (
    <div
      ref={list}
      role="presentation"
      className={styles.list}
      data-testid="conversation-list"
      aria-busy={records === undefined && !failed}
      onDoubleClick={renameRow}
      onKeyDown={event => (event.key === 'F2' ? renameRow(event) : onRowKey(event))}
    >
      {failed && records === undefined && (
        <p className={styles.empty}>
          {t('conversations.notLoaded')}
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('conversations.loadAgain')}
          </Button>
        </p>
      )}
      {records?.length === 0 && <p className={styles.empty}>{t('conversations.none')}</p>}
      {firstOf(groups, count).map(({ key, span, records: inGroup }) => (
        <section key={key}>
          <h2 className={styles.group}>
            <SpanName span={span} />
          </h2>
          <ul>
            {inGroup.map(record => (
              <ConversationRow
                key={record.conversation_id}
                record={record}
                open={record.conversation_id === open}
                state={states.get(record.conversation_id ?? '')}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** The row that was pressed twice, or that has the focus. */
function renameRow({ target }: SyntheticEvent): void {
  const row =
    target instanceof Element && target.closest('a') !== null ? target.closest<HTMLElement>('[data-stored]') : null
  const id = row?.dataset['conversationId']
  if (id !== undefined) startRenaming(id, 'row')
}

function SpanName({ span }: { span: Span }) {
  const t = useTranslate()
  const language = useLanguage()
  return span.kind === 'month'
    ? formatMonth(new Date(span.year, span.month - 1), language)
    : t(`conversations.${span.kind}`)
}
