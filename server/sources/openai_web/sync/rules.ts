import type { ListingEnd } from '#contract/conversationSync.ts'
import type { ListedConversation } from '#server/providers/ports.ts'
import type { ConversationRow } from '#server/conversations/store.ts'
import { titleOf } from '#server/conversations/titleOf.ts'

export type Known = Pick<ConversationRow, 'id' | 'title' | 'has_own_title' | 'source_id' | 'gone_upstream_time'>

export type Changes = Partial<Omit<Known, 'id'>>

/** Ids that no upstream gives are left alone: they could not be stored, or not be asked for. */
const ID = /^[\x21-\x7e]{1,200}$/

const isUsable = ({ id }: ListedConversation): boolean => ID.test(id)

/** What changes of a known conversation that its account lists, in the name of a team or of its person. */
export function changesOf(known: Known, listed: ListedConversation, team_account_id: string | null): Changes {
  return {
    ...titleChanges(known, titleOf(listed.title)),
    ...(known.gone_upstream_time !== null && { gone_upstream_time: null }),
    ...(team_account_id !== null && known.source_id === null && { source_id: team_account_id }),
  }
}

/** A title that a person gave stays. */
function titleChanges({ title, has_own_title }: Known, listed: string | null): Changes {
  return listed === null || listed === title || (has_own_title && title !== null) ? {} : { title: listed }
}

/** Conversations of one listing. More than any account has: a listing that goes on has no end. */
export const MAX_LISTED = 200_000
/** Pages, of which a hostile one may hold a single conversation. */
const MAX_PAGES = 20_000

/** What is known of a listing that is being read. */
export type Seen = { ids: Set<string>; pages: number; hasRepeats: boolean }

export const nothingSeen = (): Seen => ({ ids: new Set(), pages: 0, hasRepeats: false })

/** Takes a page in, and gives what of it is new. */
export function take(seen: Seen, page: readonly ListedConversation[]): ListedConversation[] {
  seen.pages += 1
  return page.filter(listed => {
    if (seen.ids.has(listed.id)) seen.hasRepeats = true
    else {
      seen.ids.add(listed.id)
      return isUsable(listed)
    }
    return false
  })
}

/** How the listing ends with this page, of which so many were new; null when it goes on. */
export function endAfter(seen: Seen, { length }: readonly unknown[], fresh: number): ListingEnd | null {
  if (length === 0) return seen.ids.size === 0 ? 'empty' : seen.hasRepeats ? 'repeated' : 'whole'
  if (fresh === 0) return 'repeated'
  return seen.ids.size >= MAX_LISTED || seen.pages >= MAX_PAGES ? 'endless' : null
}

/** So many may be missing in a listing that is believed: a quarter of those that are known, or a few. */
const MIN_MISSING = 20

/** Whether a listing that came to its end lacks more than can have gone. */
export const isShort = ({ known, missing }: { known: number; missing: number }): boolean =>
  missing > Math.max(MIN_MISSING, known / 4)
