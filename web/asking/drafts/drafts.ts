import { newId } from './newId.ts'

/**
 * Texts that the server has not accepted yet, by conversation; stored in the browser under their user's id. They belong
 * to their tab; the next new tab adopts those of closed ones.
 */
export type Drafts = {
  read(conversation: string): string
  /** Keeps the text as the draft; a blank text removes it. */
  keep(conversation: string, text: string): void
  /**
   * The text was sent as this ask and is not accepted yet. It becomes a draft again if the page is left before that.
   */
  hold(conversation: string, ask_id: string, text: string): void
  /** The ask was given up, or is sent again under another id. */
  release(conversation: string, ask_id: string): void
  /** The ask was accepted. A new conversation has its id now, and its draft moves there. */
  accepted(conversation: string, ask_id: string, conversation_id: string): void
  /** Puts a withdrawn text back, before what has been written since. */
  putBack(conversation: string, text: string): void
  /** Moves the draft, and those of edited questions, to another conversation, before the draft that is there. */
  move(from: string, to: string): void
  /** Stores changes now. */
  flush(): void
  /** To be called when another tab has changed this key of the storage. */
  storageChanged(name: string): void
  subscribe(listener: () => void): () => void
}

/** The oldest are dropped when there are more. */
const MAX_DRAFTS = 50
/** Milliseconds after the last keystroke. */
const STORE_AFTER_MS = 300

export function openDrafts(user_id: number, storage: DraftStorage, tab: Tab): Drafts {
  const name = `drafts.${tab.id}.${user_id}`
  const listeners = new Set<() => void>()
  const own = readEntries(storage, name)
  // The drafts of all other tabs, since it is unknown which of them are open. An open tab stores its adopted drafts
  // again, and then they are returned to it.
  const adopted = new Map(
    tab.isNew
      ? draftKeys(user_id, storage)
          .filter(other => other !== name)
          .map(other => [other, readEntries(storage, other)])
      : [],
  )
  const stored = () => mergeDrafts([own, ...adopted.values()])
  // The texts are in memory as well, because private windows and full storages keep nothing.
  const texts = stored()
  let changed: Entries = {}
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(key: string, text: string): void {
    texts[key] = text
    changed[key] = text
    clearTimeout(timer)
    timer = setTimeout(flush, STORE_AFTER_MS)
    for (const listener of [...listeners]) listener()
  }

  function flush(): boolean {
    clearTimeout(timer)
    if (Object.keys(changed).length === 0) return true
    // Only changes of this page replace what is stored: the previous page of this tab may return from the back/forward
    // cache.
    const next = { ...without(readEntries(storage, name), Object.keys(changed)), ...changed }
    changed = {}
    const kept = Object.entries(next).filter(([, text]) => text.trim() !== '')
    return writeEntries(storage, name, kept.slice(-MAX_DRAFTS))
  }

  // Pending questions are stored as drafts, or each page would add them again. Adopted drafts are stored under this
  // tab.
  if (adopted.size > 0 || pendingKeys(own).length > 0) {
    changed = { ...Object.fromEntries(pendingKeys(own).map(key => [key, ''])), ...texts }
    if (flush()) for (const other of adopted.keys()) markAdopted(storage, other)
  }

  function storeAll(): void {
    changed = { ...texts }
    flush()
  }

  function returnAdopted(other: string, entries: Entries): void {
    const before = stored()
    const there = readEntries(storage, other)
    // A closed tab that is opened again has stored only what was written since; its other drafts stay here.
    const returned = Object.keys(entries).filter(key => there[key]?.startsWith(entries[key] ?? '') === true)
    adopted.set(other, without(entries, returned))
    const after = stored()
    for (const [conversation, text] of Object.entries(before)) {
      const now = read(conversation)
      if (text !== after[conversation] && now.startsWith(text))
        set(conversation, (after[conversation] ?? '') + now.slice(text.length))
    }
    flush()
  }

  function move(from: string, to: string): void {
    const editedQuestions = Object.keys(texts)
      .filter(key => key.startsWith(`${from}/`))
      .toReversed()
    for (const key of from === to ? [] : [...editedQuestions, from].filter(each => read(each) !== '')) {
      set(to, joinTexts(read(key), read(to)))
      set(key, '')
    }
    flush()
  }

  const read = (conversation: string) => texts[conversation] ?? ''
  return {
    read,
    keep: set,
    hold(conversation, ask_id, text) {
      set(pendingKey(conversation, ask_id), text)
      flush()
    },
    release(conversation, ask_id) {
      set(pendingKey(conversation, ask_id), '')
    },
    accepted(conversation, ask_id, conversation_id) {
      set(pendingKey(conversation, ask_id), '')
      move(conversation, conversation_id)
    },
    putBack(conversation, text) {
      set(conversation, joinTexts(text, read(conversation)))
      flush()
    },
    move,
    flush: () => void flush(),
    storageChanged(changedName) {
      if (changedName === name && isAdopted(storage, name)) storeAll()
      const entries = adopted.get(changedName)
      if (entries !== undefined) returnAdopted(changedName, entries)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { names(): string[] }

/** A browser tab, the same after a reload; `isNew` when no earlier page of it is known. */
export type Tab = { id: string; isNew: boolean }

const tabKey = (user_id: number) => `tab.${user_id}`

/** The tab of this page. While a page is open its id is not stored: a duplicate of the tab would get the same one. */
export function takeTab(user_id: number): Tab {
  try {
    const id = window.sessionStorage.getItem(tabKey(user_id))
    window.sessionStorage.removeItem(tabKey(user_id))
    return id === null ? { id: newId(), isNew: true } : { id, isNew: false }
  } catch {
    return { id: newId(), isNew: true }
  }
}

/** Stores the id for the next page that is loaded in this tab. */
export function leaveTab(user_id: number, { id }: Tab): void {
  try {
    window.sessionStorage.setItem(tabKey(user_id), id)
  } catch {
    // Storage is forbidden: the next page counts as a new tab and adopts the drafts of this one.
  }
}

/** Drafts by conversation, and pending questions by ask. */
type Entries = Record<string, string>

const PENDING = /#sent.*$/
const FILES = '#files'

/** Under which the files of a draft are kept, a line each. */
export const filesKey = (conversation: string): string => `${conversation}${FILES}`

function pendingKey(conversation: string, ask_id: string): string {
  return `${conversation}#sent.${ask_id}`
}

function pendingKeys(entries: Entries): string[] {
  return Object.keys(entries).filter(key => PENDING.test(key))
}

/** Joins the drafts of several tabs. A question that was pending when its page was left is a draft again. */
function mergeDrafts(all: Iterable<Entries>): Entries {
  const drafts: Entries = {}
  for (const entries of all) {
    for (const [key, text] of Object.entries(entries)) {
      const conversation = key.replace(PENDING, '')
      const join = conversation.endsWith(FILES) ? joinLines : joinTexts
      drafts[conversation] = join(text, drafts[conversation] ?? '')
    }
  }
  return drafts
}

/** Each line once: of two tabs with the same draft, the files are the same. */
const joinLines = (first: string, second: string): string =>
  [...new Set(`${first}\n${second}`.split('\n'))].filter(line => line !== '').join('\n')

function joinTexts(first: string, second: string): string {
  return second.trim() === '' || second === first ? first : `${first}\n\n${second}`
}

/** The storage keys of one user: one for each tab, and one that older versions used for all tabs. */
function draftKeys(user_id: number, storage: DraftStorage): string[] {
  const pattern = new RegExp(`^drafts\\.([^.]+\\.)?${user_id}$`)
  return storage.names().filter(name => pattern.test(name))
}

function readEntries(storage: DraftStorage, name: string): Entries {
  try {
    const value: unknown = JSON.parse(storage.getItem(name) ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** Returns whether it could be stored. */
function writeEntries(storage: DraftStorage, name: string, entries: [string, string][]): boolean {
  try {
    if (entries.length === 0) storage.removeItem(name)
    else storage.setItem(name, JSON.stringify(Object.fromEntries(entries)))
    return true
  } catch {
    // The storage is full or forbidden: the drafts stay in memory.
    return false
  }
}

/** The value of a key whose drafts another tab has adopted; signing out removes the key instead. */
const ADOPTED = '{}'

function markAdopted(storage: DraftStorage, name: string): void {
  if (Object.keys(readEntries(storage, name)).length === 0) storage.removeItem(name)
  else storage.setItem(name, ADOPTED)
}

function isAdopted(storage: DraftStorage, name: string): boolean {
  return storage.getItem(name) === ADOPTED
}

function without(entries: Entries, keys: string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)))
}
