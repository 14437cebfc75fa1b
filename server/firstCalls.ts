import { readMe } from '#contract/accounts.ts'
import { readAllowance } from '#contract/allowance.ts'
import type { Call } from '#contract/call.ts'
import { listConversations } from '#contract/conversations.ts'
import { readPreferences } from '#contract/preferences.ts'
import { readPortal, readSharedMeter } from '#contract/status.ts'

const OF_EVERY_PAGE: readonly Call[] = [readMe, readPreferences]
const OF_CONVERSATIONS: readonly Call[] = [
  ...OF_EVERY_PAGE,
  listConversations,
  readSharedMeter,
  readPortal,
  readAllowance,
]

/** What the page asks before it can show the screen at a path: answered together with the page itself. */
export function firstCalls(path: string): readonly Call[] {
  return path === '/conversation' ? OF_CONVERSATIONS : OF_EVERY_PAGE
}
