import { KEY_PREFIX, type UserKey } from '#contract/keys.ts'
import type { Tool } from './tools/tool.ts'

/** A key whose secret this page still knows: it was made or rotated here. */
export type KnownSecret = { id: number; name: string; secret: string }

/** Stands for a key that the page cannot show, as a variable of the terminal. */
export const KEY_VARIABLE = '$COMMONS_KEY'

export type Snippet = { shown: string; copied: string; isWhole: boolean }

/** What is shown of a snippet, and what is copied: there the key is whole, where the page knows it. */
export function snippetFor(
  tool: Tool,
  values: { address: string; model: string; key: UserKey; secret: string | null },
): Snippet {
  const { address, model, key, secret } = values
  const withKey = (text: string): string => tool.snippet({ address, model, key: text })
  if (secret === null) return { shown: withKey(KEY_VARIABLE), copied: withKey(KEY_VARIABLE), isWhole: false }
  return { shown: withKey(`${KEY_PREFIX}…${key.ending}`), copied: withKey(secret), isWhole: true }
}

/** Milliseconds for which a first request is awaited. */
export const MAX_WAIT_MS = 600_000

/** `usedBefore`: when the key was used last as the wait began. */
export type FirstRequest =
  | { phase: 'idle' }
  | { phase: 'waiting'; since: number; usedBefore: string | null }
  | { phase: 'received'; tool: string | null; time: string }
  | { phase: 'over' }

/** A key that was used since is a request that came. */
export function afterReading(state: FirstRequest, key: UserKey, now: number): FirstRequest {
  if (state.phase !== 'waiting') return state
  if (key.last_used_time !== null && key.last_used_time !== state.usedBefore)
    return { phase: 'received', tool: key.last_tool, time: key.last_used_time }
  return now - state.since >= MAX_WAIT_MS ? { phase: 'over' } : state
}
