import { KEY_PREFIX, type UserKey } from '#contract/keys.ts'
import type { Tool } from './tools/tool.ts'

/** A key whose secret this page still knows: it was made or rotated here. */
export type KnownSecret = { id: number; name: string; secret: string }

/** Stands for a key that the page cannot show, as a variable of the terminal. */
export const KEY_VARIABLE = '$COMMONS_KEY'

export type Snippet = { shown: string; copied: string; isWhole: boolean }

/** What is shown of a snippet, and what is copied: there the key is whole, where the page knows it. */
export function snippetFor(
  tool: Pick<Tool, 'snippet'>,
  values: { address: string; model: string; key: UserKey; secret: string | null },
): Snippet {
  const { address, model, key, secret } = values
  const withKey = (text: string): string => tool.snippet({ address, model, key: text })
  if (secret === null) return { shown: withKey(KEY_VARIABLE), copied: withKey(KEY_VARIABLE), isWhole: false }
  return { shown: withKey(`${KEY_PREFIX}…${key.ending}`), copied: withKey(secret), isWhole: true }
}
