import { useEffect, useMemo, useState } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ConversationRecord, searchConversations, type SearchResult } from '#contract/conversations.ts'
import { hasAnywhere } from '#contract/searchWords.ts'
import { call } from '#web/foundation/call.ts'
import { SEARCH_KEY } from './useConversations.ts'

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
export function useSearchHits(words: string, records: readonly ConversationRecord[]): Hits {
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
