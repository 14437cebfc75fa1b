import { useEffect, useMemo, useState } from 'react'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ConversationRecord, searchConversations, type SearchResult } from '#contract/conversations.ts'
import { failureText } from '#web/foundation/failures.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { ConversationLink } from './ConversationRow.tsx'
import { onRowKey } from './rowKeys.ts'
import styles from './searchHits.module.css'
import sidebar from './sidebar.module.css'
import { hasAnywhere, rangesAnywhere, rangesOf } from '#contract/searchWords.ts'
import { call } from '#web/foundation/call.ts'
import { SEARCH_KEY } from './useConversations.ts'

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

/** Milliseconds without typing after which the server searches the messages. */
const DEBOUNCE_MS = 250

type Hits = {
  titles: ConversationRecord[]
  /** Undefined while they are loading. */
  messages: SearchResult[] | undefined
  /** How many messages were found. */
  total: number
  /** Why the messages could not be searched. */
  error: Error | null
  /** Searches once more. */
  onRetry(): void
  /** Fetches more messages; null when there are no more, or they are loading. */
  onMore: (() => void) | null
}

/** Searches titles at once, in the list; messages when the typing pauses, at the server. */
function useSearchHits(words: string, records: readonly ConversationRecord[]): Hits {
  const settled = useDebounced(words.trim())
  const search = useInfiniteQuery({
    queryKey: [SEARCH_KEY, settled],
    queryFn: ({ signal, pageParam }) =>
      call(
        searchConversations,
        { query: { words: settled, skip: pageParam === 0 ? undefined : String(pageParam) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const had = pages.reduce((sum, { results }) => sum + results.length, 0)
      return had < total && pages.at(-1)?.results.length !== 0 ? had : undefined
    },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    // Without a network it fails and says so. Waiting for one would show the results for other words.
    networkMode: 'always',
    refetchOnReconnect: true,
    meta: { quiet: true },
  })
  const titles = useMemo(() => titlesWith(words, records), [words, records])
  const pages = search.data?.pages
  const messages = useMemo(
    () => (pages === undefined ? undefined : named(distinct(pages.flatMap(({ results }) => results)), records)),
    [pages, records],
  )
  return {
    titles,
    messages,
    total: pages?.[0]?.total ?? 0,
    error: search.error,
    onRetry: () => void search.refetch(),
    onMore: search.hasNextPage && !search.isFetchingNextPage ? () => void search.fetchNextPage() : null,
  }
}

/** New messages between two fetches shift the results, so that one may be returned again. */
function distinct(results: readonly SearchResult[]): SearchResult[] {
  return [...new Map(results.map(result => [`${result.conversation_id} ${result.message_id}`, result])).values()]
}

/** The results with their current titles. */
function named(results: readonly SearchResult[], records: readonly ConversationRecord[]): SearchResult[] {
  const titles = new Map(records.map(({ conversation_id, title }) => [conversation_id, title]))
  return results.map(result => ({ ...result, title: titles.get(result.conversation_id) ?? result.title }))
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The conversations whose titles have every word, in any order, whatever its case, width or accents. */
export function titlesWith(words: string, records: readonly ConversationRecord[]): ConversationRecord[] {
  return records.filter(({ title }) => hasAnywhere(title ?? '', words))
}
