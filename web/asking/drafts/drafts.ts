import {
  draftsIn,
  type Entries,
  heldAs,
  heldIn,
  isTaken,
  joined,
  leaveTaken,
  namesOf,
  type Place,
  store,
  stored,
} from './draftStorage.ts'
import type { Tab } from './tab.ts'

/**
 * Texts that were written and not yet taken by the server, by conversation; kept in the browser under their writer's id.
 * They belong to the tab they were written in; those of tabs that are no more go to the next new one.
 */
export type Drafts = {
  read(conversation: string): string
  /** Blank removes it. */
  keep(conversation: string, text: string): void
  /** Sent as this ask, but not acknowledged: a draft again if the page is left before the server has it. */
  hold(conversation: string, ask_id: string, text: string): void
  /** Held no more: it has been given up, or is held as another ask. */
  release(conversation: string, ask_id: string): void
  /** Acknowledged. A new conversation has its own id now, and what was being written goes along. */
  accepted(conversation: string, ask_id: string, conversation_id: string): void
  /** Puts a text that was sent back to where it was written. */
  putBack(conversation: string, text: string): void
  /** What was being written, also into its questions, goes along to where it can be sent, before what is written there. */
  move(from: string, to: string): void
  /** Writes what has changed, now. */
  flush(): void
  /** Another tab has written to this entry of the storage. */
  heard(entry: string): void
  subscribe(listener: () => void): () => void
}

/** The oldest leave when there are more. */
const MOST_DRAFTS = 50
/** Milliseconds after the last key until a draft is stored. */
const KEEP_AFTER_MS = 300

export function openDrafts(user_id: number, place: Place, tab: Tab): Drafts {
  const name = `drafts.${tab.id}.${user_id}`
  const listeners = new Set<() => void>()
  const own = stored(place, name)
  // Which tabs live cannot be asked. One that does, and finds its entry taken, writes it again, and then it is given back here.
  const taken = new Map(
    tab.isNew
      ? namesOf(user_id, place)
          .filter(other => other !== name)
          .map(other => [other, stored(place, other)])
      : [],
  )
  const found = () => draftsIn([own, ...taken.values()])
  // What the browser will not keep (private windows, full storage) is kept as long as the page lives.
  const texts = found()
  let changed: Entries = {}
  let timer: ReturnType<typeof setTimeout> | undefined

  function set(key: string, text: string): void {
    texts[key] = text
    changed[key] = text
    clearTimeout(timer)
    timer = setTimeout(flush, KEEP_AFTER_MS)
    for (const listener of [...listeners]) listener()
  }

  function flush(): boolean {
    clearTimeout(timer)
    if (Object.keys(changed).length === 0) return true
    // The page before this one in the tab may be looked at again: only what was changed in this one is laid over it.
    const next = { ...without(stored(place, name), Object.keys(changed)), ...changed }
    changed = {}
    return store(
      place,
      name,
      Object.entries(next)
        .filter(([, text]) => text.trim() !== '')
        .slice(-MOST_DRAFTS),
    )
  }

  // Written down as the drafts they are now: what was held would come once more, and what was taken has to be somewhere.
  if (taken.size > 0 || heldIn(own).length > 0) {
    changed = { ...Object.fromEntries(heldIn(own).map(key => [key, ''])), ...texts }
    if (flush()) for (const other of taken.keys()) leaveTaken(place, other)
  }

  function takeAgain(): void {
    changed = { ...texts }
    flush()
  }

  function giveBack(other: string, entries: Entries): void {
    const before = found()
    const there = stored(place, other)
    // A closed tab that was opened again has only what was written there since.
    taken.set(
      other,
      without(
        entries,
        Object.keys(entries).filter(key => there[key]?.startsWith(entries[key] ?? '') === true),
      ),
    )
    const after = found()
    for (const [conversation, text] of Object.entries(before)) {
      const now = read(conversation)
      if (text !== after[conversation] && now.startsWith(text))
        set(conversation, (after[conversation] ?? '') + now.slice(text.length))
    }
    flush()
  }

  function move(from: string, to: string): void {
    const changedQuestions = Object.keys(texts)
      .filter(key => key.startsWith(`${from}/`))
      .toReversed()
    for (const written of from === to ? [] : [...changedQuestions, from].filter(key => read(key) !== '')) {
      set(to, joined(read(written), read(to)))
      set(written, '')
    }
    flush()
  }

  const read = (conversation: string) => texts[conversation] ?? ''
  return {
    read,
    keep: set,
    hold(conversation, ask_id, text) {
      set(heldAs(conversation, ask_id), text)
      flush()
    },
    release(conversation, ask_id) {
      set(heldAs(conversation, ask_id), '')
    },
    accepted(conversation, ask_id, conversation_id) {
      set(heldAs(conversation, ask_id), '')
      move(conversation, conversation_id)
    },
    putBack(conversation, text) {
      set(conversation, joined(text, read(conversation)))
      flush()
    },
    move,
    flush: () => void flush(),
    heard(entry) {
      if (entry === name && isTaken(place, name)) takeAgain()
      const entries = taken.get(entry)
      if (entries !== undefined) giveBack(entry, entries)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

function without(entries: Entries, keys: string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)))
}
