import { listedConversation, type WebConversation } from './conversation.ts'
import type { WebFile } from './files/file.ts'
import { CATALOGUE } from './plugins/catalogue.ts'

/** Subscriptions of a token: of its personal account, and of its team. */
export type Plans = {
  personal: 'plus' | 'free' | 'expired'
  team: 'active' | 'deactivated' | 'none'
}

/** What one token sees under one Chatgpt-Account-Id. */
export type WebAccount = {
  token: string
  /** The header; null: the personal account. */
  account_id: string | null
  conversations: ReadonlyMap<string, WebConversation>
  addConversation: (conversation: WebConversation) => void
  /**
   * Adds conversations to the list, the newest first; cheap for tens of thousands. Their ids, in the order of the list.
   */
  addConversations: (count: number) => string[]
  /** Removes a conversation for good. */
  removeConversation: (id: string) => void
  /** The visible conversations as they are listed: the latest used first. */
  listed: () => readonly WebConversation[]
  /** To be called after a change to what the list shows. */
  changed: () => void
  files: ReadonlyMap<string, WebFile>
  addFile: (file: WebFile) => void
  /** Ids of installed plugins. */
  installed: Set<string>
  /** Answers every call with this status from now on, and breaks off running answers. */
  fail: (status: number) => void
  recover: () => void
  /** The status of `fail`. */
  failing: number | null
  /** The running answers, as functions that break them off. */
  streams: Set<() => void>
  /** The plans of both accounts of the token; only those of the personal account's state are read. */
  plans: Plans
}

/**
 * Conversations that arose by asking. The oldest are forgotten when there are more, so that memory stays bounded for
 * weeks.
 */
const MAX_ASKED = 1_000
/** Characters of all messages in conversations that arose by asking. */
const MAX_CHARACTERS = 20_000_000
const MAX_FILES = 2_000
const MAX_FILE_BYTES = 64_000_000
/** Plugins that an account has from the start. */
const FIRST_INSTALLED = 8

export function createAccount(token: string, account_id: string | null): WebAccount {
  const conversations = new Map<string, WebConversation>()
  const asked: WebConversation[] = []
  const files = new Map<string, WebFile>()
  let sorted: WebConversation[] | null = null

  const account: WebAccount = {
    token,
    account_id,
    conversations,
    addConversation(conversation) {
      conversations.set(conversation.id, conversation)
      asked.push(conversation)
      const characters = () => asked.reduce((sum, each) => sum + each.characters, 0)
      while (asked.length > MAX_ASKED || (asked.length > 1 && characters() > MAX_CHARACTERS))
        conversations.delete(asked.shift()?.id ?? '')
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
      const bytes = () => [...files.values()].reduce((sum, { kept_bytes }) => sum + kept_bytes, 0)
      while (files.size > 0 && (files.size >= MAX_FILES || bytes() > MAX_FILE_BYTES))
        files.delete(files.keys().next().value ?? '')
      files.set(file.id, file)
    },
    installed: new Set(CATALOGUE.slice(0, FIRST_INSTALLED).map(({ id }) => id)),
    fail(status) {
      account.failing = status
      for (const breakOff of account.streams) breakOff()
    },
    recover() {
      account.failing = null
    },
    failing: null,
    streams: new Set(),
    plans: { personal: 'plus', team: 'active' },
  }
  return account
}
