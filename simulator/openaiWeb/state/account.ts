import { randomUUID } from 'node:crypto'
import { listedConversation, type WebConversation } from './conversation.ts'
import { CATALOGUE } from './catalogue.ts'

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

export function openAccount(token: string, account_id: string | null): WebAccount {
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

/** A file of an account. */
export type WebFile = {
  id: string
  name: string
  mime_type: string
  use_case: string
  /** Announced bytes. */
  size: number
  /** Bytes that have arrived. */
  received: number
  /** MD5 of what has arrived, in base64, as the storage host answers it; null of a file that was never sent. */
  md5: string | null
  /** `complete` files can be used and downloaded. */
  state: 'announced' | 'sent' | 'complete'
  /** The whole content of generated files; only the beginning of uploaded ones, whose rest is just counted. */
  content: () => Uint8Array
  /** Bytes of it in memory. */
  kept_bytes: number
  /** The secret part of its addresses on the storage host. */
  signature: string
}

/** How the service names files: file-3fa8..., or as since 2025 file_000000003fa8.... */
export type FileIds = 'hyphen' | 'underscore'

export function newFile(of: Pick<WebFile, 'name' | 'size' | 'use_case'>, ids: FileIds = 'hyphen'): WebFile {
  const random = randomUUID().replaceAll('-', '').slice(0, 24)
  return {
    ...of,
    id: ids === 'hyphen' ? `file-${random}` : `file_00000000${random}`,
    mime_type: mimeTypeOf(of.name),
    received: 0,
    md5: null,
    state: 'announced',
    content: () => Buffer.alloc(0),
    kept_bytes: 0,
    signature: randomUUID(),
  }
}

/** A file that is complete from the start. Its content may be made each time it is read. */
export function completeFile(
  name: string,
  content: Uint8Array | (() => Uint8Array),
  use_case = 'my_files',
  ids: FileIds = 'hyphen',
): WebFile {
  const read = typeof content === 'function' ? content : () => content
  const size = read().length
  const kept_bytes = typeof content === 'function' ? 0 : size
  return { ...newFile({ name, size, use_case }, ids), received: size, state: 'complete', content: read, kept_bytes }
}

const MIME_TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

function mimeTypeOf(name: string): string {
  return MIME_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
