import type { Plans } from './accounts.ts'
import { listedConversation, type WebConversation } from './conversation.ts'
import type { WebFile } from './files/file.ts'
import { CATALOGUE } from './plugins/catalogue.ts'

/** What one token sees under one Chatgpt-Account-Id. */
export type WebAccount = {
  token: string
  /** The header; null: the personal account. */
  account_id: string | null
  conversations: ReadonlyMap<string, WebConversation>
  addConversation: (conversation: WebConversation) => void
  /** Adds conversations to the list, the newest first; cheap for tens of thousands. Their ids, in the order of the list. */
  addConversations: (count: number) => string[]
  /** One is gone for good. */
  removeConversation: (id: string) => void
  /** The visible ones, as they are listed: the latest used first. */
  listed: () => readonly WebConversation[]
  /** After a change of what the list shows. */
  changed: () => void
  files: ReadonlyMap<string, WebFile>
  addFile: (file: WebFile) => void
  /** Ids of installed plugins. */
  installed: Set<string>
  /** Subscriptions of the token; those of its personal account count. */
  plans: Plans
}

/** Conversations that arose by asking. The oldest of them is forgotten when there are more. */
const MOST_ASKED = 1_000
const MOST_FILES = 2_000
/** Plugins that an account has from the start. */
const FIRST_INSTALLED = 8

export function createAccount(token: string, account_id: string | null): WebAccount {
  const conversations = new Map<string, WebConversation>()
  const asked: string[] = []
  const files = new Map<string, WebFile>()
  let sorted: WebConversation[] | null = null

  return {
    token,
    account_id,
    conversations,
    addConversation(conversation) {
      conversations.set(conversation.id, conversation)
      asked.push(conversation.id)
      if (asked.length > MOST_ASKED) conversations.delete(asked.shift() ?? '')
      sorted = null
    },
    addConversations(count) {
      const ids: string[] = []
      for (let at = 0; at < count; at += 1) {
        const conversation = listedConversation(at)
        conversations.set(conversation.id, conversation)
        ids.push(conversation.id)
      }
      sorted = null
      return ids
    },
    removeConversation(id) {
      conversations.delete(id)
      sorted = null
    },
    listed: () =>
      (sorted ??= [...conversations.values()]
        .filter(({ is_visible }) => is_visible)
        .toSorted((one, other) => other.update_time - one.update_time)),
    changed() {
      sorted = null
    },
    files,
    addFile(file) {
      files.set(file.id, file)
      const [oldest] = files.keys()
      if (files.size > MOST_FILES && oldest !== undefined) files.delete(oldest)
    },
    installed: new Set(CATALOGUE.slice(0, FIRST_INSTALLED).map(({ id }) => id)),
    plans: { personal: 'plus', team: 'active' },
  }
}
