import { newId } from './newId.ts'

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
export type Entries = Record<string, string>

const PENDING = /#sent.*$/

export function pendingKey(conversation: string, ask_id: string): string {
  return `${conversation}#sent.${ask_id}`
}

export function pendingKeys(entries: Entries): string[] {
  return Object.keys(entries).filter(key => PENDING.test(key))
}

/** Joins the drafts of several tabs. A question that was pending when its page was left is a draft again. */
export function mergeDrafts(all: Iterable<Entries>): Entries {
  const drafts: Entries = {}
  for (const entries of all) {
    for (const [key, text] of Object.entries(entries)) {
      const conversation = key.replace(PENDING, '')
      drafts[conversation] = joinTexts(text, drafts[conversation] ?? '')
    }
  }
  return drafts
}

export function joinTexts(first: string, second: string): string {
  return second.trim() === '' || second === first ? first : `${first}\n\n${second}`
}

/** The storage keys of one user: one for each tab, and one that older versions used for all tabs. */
export function draftKeys(user_id: number, storage: DraftStorage): string[] {
  const pattern = new RegExp(`^drafts\\.([^.]+\\.)?${user_id}$`)
  return storage.names().filter(name => pattern.test(name))
}

export function readEntries(storage: DraftStorage, name: string): Entries {
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
export function writeEntries(storage: DraftStorage, name: string, entries: [string, string][]): boolean {
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

export function markAdopted(storage: DraftStorage, name: string): void {
  if (Object.keys(readEntries(storage, name)).length === 0) storage.removeItem(name)
  else storage.setItem(name, ADOPTED)
}

export function isAdopted(storage: DraftStorage, name: string): boolean {
  return storage.getItem(name) === ADOPTED
}

export function without(entries: Entries, keys: string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)))
}
