import { useState } from 'react'
import { Button } from '@mantine/core'
import type { ConversationRecord, SearchResult } from '#contract/conversations.ts'
import { failureText } from '#web/foundation/failures.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { ConversationLink } from './ConversationLink.tsx'
import { onRowKey } from './rowKeys.ts'
import styles from './searchHits.module.css'
import sidebar from './sidebar.module.css'
import { useSearchHits } from './useSearchHits.ts'
import { rangesAnywhere, rangesOf } from '#contract/searchWords.ts'

/** Titles that are shown at first. */
const MAX_TITLES_BEFORE_TEXTS = 8

type SearchHitsProps = { words: string; records: readonly ConversationRecord[]; open: string | null; onOut(): void }

export function SearchHits({ words, records, open, onOut }: SearchHitsProps) {
  const t = useTranslate()
  const { titles, messages, total, error, onRetry, onMore } = useSearchHits(words, records)
  const nothing = titles.length === 0 && messages?.length === 0
  return (
    <div
      role="presentation"
      className={sidebar.list}
      data-testid="conversation-list"
      aria-busy={messages === undefined && error === null}
      onKeyDown={event => onRowKey(event, onOut)}
    >
      <p className="visually-hidden" role="status">
        {messages !== undefined && !nothing && t('conversations.found', { count: titles.length + total })}
      </p>
      <TitleHits key={words} titles={titles} words={words} open={open} />
      {messages !== undefined && messages.length > 0 && (
        <h2 className={sidebar.group}>{t('conversations.messageHits', { count: total })}</h2>
      )}
      <ul>
        {messages?.map(hit => (
          <MessageHit key={`${hit.conversation_id} ${hit.message_id}`} hit={hit} words={words} open={open} />
        ))}
        {onMore !== null && messages !== undefined && (
          <li>
            <button type="button" data-more className={styles.more} onClick={onMore}>
              {t('conversations.moreHits', { count: total - messages.length })}
            </button>
          </li>
        )}
      </ul>
      {error !== null && (
        <p className={sidebar.empty}>
          {t('conversations.searchFailed')}
          <span>{failureText(error)}</span>
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('kit.retry')}
          </Button>
        </p>
      )}
      {nothing && (
        <p className={sidebar.empty}>
          <strong>{t('conversations.nothingFound', { words })}</strong>
          {t('conversations.searchOtherwise')}
        </p>
      )}
    </div>
  )
}

function TitleHits({
  titles,
  words,
  open,
}: {
  titles: readonly ConversationRecord[]
  words: string
  open: string | null
}) {
  const t = useTranslate()
  const [all, setAll] = useState(false)
  if (titles.length === 0) return null
  const shown = all ? titles : titles.slice(0, MAX_TITLES_BEFORE_TEXTS)
  return (
    <>
      <h2 className={sidebar.group}>{t('conversations.titleHits', { count: titles.length })}</h2>
      <ul>
        {shown.map(({ id, conversation_id, title }) => (
          <li
            key={id}
            className={conversation_id === open ? sidebar.openRow : sidebar.row}
            data-testid="conversation-row"
            data-conversation-id={conversation_id}
          >
            <ConversationLink
              id={conversation_id}
              dir="auto"
              current={conversation_id === open}
              className={`${sidebar.link} ${styles.title}`}
              data-testid="search-result"
            >
              <Marked text={title ?? ''} words={words} anywhere />
            </ConversationLink>
          </li>
        ))}
        {shown.length < titles.length && (
          <li>
            <button type="button" data-more className={styles.more} onClick={() => setAll(true)}>
              {t('conversations.moreHits', { count: titles.length - shown.length })}
            </button>
          </li>
        )}
      </ul>
    </>
  )
}

function MessageHit({ hit, words, open }: { hit: SearchResult; words: string; open: string | null }) {
  const t = useTranslate()
  const language = useLanguage()
  const { conversation_id, message_id, title, role, create_time, excerpt } = hit
  return (
    <li
      className={conversation_id === open ? sidebar.openRow : sidebar.row}
      data-testid="conversation-row"
      data-conversation-id={conversation_id}
    >
      <ConversationLink
        id={conversation_id}
        message={message_id}
        current={conversation_id === open}
        className={styles.hit}
        data-testid="search-result"
      >
        <span dir="auto" className={styles.hitTitle}>
          {title || t('conversations.untitled')}
        </span>
        <span dir="auto" className={styles.excerpt}>
          {role === 'user' && <span className={styles.asked}>{t('conversations.youAsked')}</span>}
          <Marked text={excerpt} words={words} />
        </span>
        <span className={styles.hitTime}>{formatDate(new Date(create_time), language)}</span>
      </ConversationLink>
    </li>
  )
}

type MarkedProps = {
  text: string
  words: string
  /** Marks words inside other words too, as titles are searched; messages are searched by the beginnings of words. */
  anywhere?: boolean
}

/**
 * A text with the searched words marked. Each part is an element: a bare text that a translator replaces stays when the
 * words change.
 */
function Marked({ text, words, anywhere = false }: MarkedProps) {
  const ranges = anywhere ? rangesAnywhere(text, words) : rangesOf(text, words)
  return (
    <>
      {partsOf(text, ranges).map(({ at, part, marked }) =>
        marked ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
      )}
    </>
  )
}

type Part = { at: number; part: string; marked: boolean }

function partsOf(text: string, ranges: readonly [number, number][]): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const [start, end] of ranges) {
    parts.push(
      { at: from, part: text.slice(from, start), marked: false },
      { at: start, part: text.slice(start, end), marked: true },
    )
    from = end
  }
  return [...parts, { at: from, part: text.slice(from), marked: false }]
}
