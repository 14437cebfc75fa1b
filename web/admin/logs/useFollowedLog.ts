import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LogLine, LogLines } from '#contract/logFiles.ts'

/** Milliseconds between two fetches of new lines. */
const EVERY = 2_000

/** `key` tells apart lines that are otherwise the same. `isAfterGap`: lines before it are not listed. */
export type ShownLine = LogLine & { key: number; isAfterGap: boolean }

export type FollowedLog = Omit<LogLines, 'lines' | 'has_more'> & {
  lines: readonly ShownLine[]
  hasEarlier: boolean
  /** When it was last fetched, in milliseconds of this device’s clock. */
  asked: number
}

type Options = {
  /** The filters. Another question starts over. */
  question: Readonly<Record<string, unknown>>
  most: number
  isFollowing: boolean
  read(after: string | null, signal: AbortSignal): Promise<LogLines>
}

/** The end of a log. While it is followed, new lines are fetched, but not while the page is hidden. */
export function useFollowedLog({ question, most, isFollowing, read }: Options) {
  const queries = useQueryClient()
  const queryKey = ['admin', 'log', question]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<FollowedLog> => {
      const before = queries.getQueryData<FollowedLog>(queryKey)
      const after = before?.cursor ?? null
      return joined(after === null ? undefined : before, await read(after, signal), most)
    },
    refetchInterval: isFollowing && EVERY,
    // Never stale: a log that is not followed does not change, and a followed one fetches only what is new.
    staleTime: Infinity,
    refetchOnWindowFocus: isFollowing && 'always',
    gcTime: 0,
    meta: { quiet: true },
  })
}

/** The earlier lines with the new ones, limited to the number that is shown. */
export function joined(before: FollowedLog | undefined, answer: LogLines, most: number): FollowedLog {
  const { lines: read, has_more, ...rest } = answer
  const next = (before?.lines.at(-1)?.key ?? -1) + 1
  const added = read.map((line, at) => ({
    ...line,
    key: next + at,
    isAfterGap: at === 0 && before !== undefined && has_more,
  }))
  const all = [...(before?.lines ?? []), ...added]
  const lines = added.length === 0 && before !== undefined ? before.lines : all.slice(-most)
  const hasEarlier = (before === undefined ? has_more : before.hasEarlier) || lines.length < all.length
  // How far back was searched is known from the first answer.
  const searched_bytes = before === undefined ? rest.searched_bytes : before.searched_bytes
  return { ...rest, searched_bytes, lines, hasEarlier, asked: Date.now() }
}
