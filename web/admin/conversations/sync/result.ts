import type { ConversationSync, ListingEnd } from '#contract/conversationSync.ts'

type SyncResult = NonNullable<ConversationSync['last']>
type Account = SyncResult['accounts'][number]

/** What all accounts add up to. */
export function sumOf(accounts: readonly Account[]) {
  const sum = (count: 'seen' | 'added' | 'gone') => accounts.reduce((all, each) => all + each[count], 0)
  return { seen: sum('seen'), added: sum('added'), gone: sum('gone') }
}

/** Ends of a listing that do not show which conversations are gone, each with a text of its own. */
export type PartialEnd = Exclude<ListingEnd, 'whole' | 'stopped'>

/** The accounts whose listing ended so. */
export const partialListings = (accounts: readonly Account[]): (Account & { listing: PartialEnd })[] =>
  accounts.flatMap(({ listing, ...account }) =>
    listing === 'whole' || listing === 'stopped' ? [] : [{ ...account, listing }],
  )

/** `broke`: the run itself failed, or an account could not be read to its end. */
export function kindOf({ outcome, accounts }: SyncResult): 'done' | 'broke' | 'stopped' {
  if (outcome === 'stopped') return 'stopped'
  return outcome === 'failed' || accounts.some(({ listing }) => listing === 'failed') ? 'broke' : 'done'
}

/** Milliseconds until a sync ends; null when that cannot be estimated. */
export function timeLeft(current: { start_time: string | null; done: number; total: number | null }, now: number) {
  const { start_time, done, total } = current
  if (start_time === null || total === null || done === 0 || done >= total) return null
  return ((now - Date.parse(start_time)) / done) * (total - done)
}
