import { type RefObject, type SyntheticEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import type { ConversationRecord } from '#contract/conversations.ts'
import { failureText } from '#web/foundation/failures.ts'
import { formatMonth, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { ConversationRow, type RowState } from './ConversationRow.tsx'
import { firstOf, groupsOf, type Span } from './groups.ts'
import { startRenaming } from './TitleInput.tsx'
import { onRowKey } from './rowKeys.ts'
import styles from './sidebar.module.css'

type ConversationListProps = {
  records: readonly ConversationRecord[] | undefined
  open: string | null
  states: ReadonlyMap<string, RowState>
  /** Why the list could not be read. */
  error: Error | null
  onRetry(): void
}

/** One's own conversations, grouped by when they were last used, the latest first. */
export function ConversationList({ records, open, states, error, onRetry }: ConversationListProps) {
  const t = useTranslate()
  const now = useNow(60_000)
  const list = useRef<HTMLDivElement>(null)
  const groups = useMemo(() => groupsOf(records ?? [], now), [records, now])
  const openAt = useMemo(
    () => groups.flatMap(group => group.records).findIndex(record => record.conversation_id === open),
    [groups, open],
  )
  // An open conversation far down needs all rows before it: they are rendered behind the first ones, and hold up no
  // typing.
  const count = useRenderedCount(list, records?.length ?? 0, useDeferredValue(openAt + 1, 0))
  useOpenInView(list, open, openAt >= 0 && openAt < count)
  return (
    <div
      ref={list}
      role="presentation"
      className={styles.list}
      data-testid="conversation-list"
      aria-busy={records === undefined && error === null}
      onDoubleClick={renameRow}
      onKeyDown={event => (event.key === 'F2' ? renameRow(event) : onRowKey(event))}
    >
      {error !== null && records === undefined && (
        <p className={styles.empty}>
          {t('conversations.notLoaded')}
          <span>{failureText(error)}</span>
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

/** The row that was double-clicked, or that has the focus. */
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

/** Rows that are rendered at first, and added at a time: more than any screen shows. */
const CHUNK = 120
/** Pixels from the end of the rendered rows at which more are added. */
const NEAR_END = 1500

/** How many rows are rendered: more when the reader comes near their end, and always up to `needed`. */
function useRenderedCount(scroller: RefObject<HTMLElement | null>, total: number, needed: number): number {
  const [grown, setGrown] = useState(CHUNK)
  const count = Math.max(grown, needed + CHUNK / 4)
  const more = count < total
  useEffect(() => {
    const box = scroller.current
    if (!more || box === null) return
    const grow = () => {
      if (box.scrollHeight - box.clientHeight - box.scrollTop < NEAR_END) setGrown(count + CHUNK)
    }
    box.addEventListener('scroll', grow, { passive: true })
    // Arrow keys move the focus along the last rows without scrolling.
    box.addEventListener('focusin', grow)
    grow()
    return () => {
      box.removeEventListener('scroll', grow)
      box.removeEventListener('focusin', grow)
    }
  }, [scroller, more, count])
  return count
}

/**
 * Scrolls the row of the open conversation into view when another one is opened, or when its row appears. Not after a
 * click on the row: a second click, which renames, must hit it as well.
 */
function useOpenInView(list: RefObject<HTMLElement | null>, open: string | null, isListed: boolean): void {
  const clicked = useRef<string | null>(null)
  useEffect(() => {
    const box = list.current
    const remember = ({ target }: MouseEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-conversation-id]') : null
      clicked.current = row?.dataset['conversationId'] ?? null
    }
    box?.addEventListener('click', remember)
    return () => box?.removeEventListener('click', remember)
  }, [list])
  useEffect(() => {
    if (isListed && clicked.current !== open)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    clicked.current = null
  }, [list, open, isListed])
}
