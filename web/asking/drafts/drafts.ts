import {
  draftKeys,
  type DraftStorage,
  type Entries,
  isAdopted,
  joinTexts,
  markAdopted,
  mergeDrafts,
  pendingKey,
  pendingKeys,
  readEntries,
  type Tab,
  without,
  writeEntries,
} from './draftStorage.ts'

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
