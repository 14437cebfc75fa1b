import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { prepareToAsk } from '#web/foundation/browserConnection.ts'
import { useSession } from '#web/foundation/session.ts'
import { storedNames } from '#web/foundation/stored.ts'
import { type Drafts, leaveTab, openDrafts, type Tab, takeTab } from './drafts.ts'

export type Draft = {
  conversation: string
  text: string
  write(text: string): void
}

/** The text that is being written in a conversation. It survives a reload. */
export function useDraft(conversation: string): Draft {
  const user_id = useSession(({ user }) => user?.id ?? 0)
  const drafts = draftsOf(user_id)
  const read = () => drafts.read(conversation)
  const text = useSyncExternalStore(drafts.subscribe, read, read)
  const write = useCallback(
    (next: string) => {
      drafts.keep(conversation, next)
      if (next !== '') prepareToAsk()
    },
    [drafts, conversation],
  )
  return useMemo(() => ({ conversation, text, write }), [conversation, text, write])
}

/** The drafts of the current user. */
export function ownDrafts(): Drafts {
  return draftsOf(useSession.getState().user?.id ?? 0)
}

let opened: { user_id: number; tab: Tab; drafts: Drafts } | null = null

function draftsOf(user_id: number): Drafts {
  if (opened?.user_id !== user_id) {
    close()
    const tab = takeTab(user_id)
    opened = { user_id, tab, drafts: openDrafts(user_id, storage, tab) }
  }
  return opened.drafts
}

// Where storage is forbidden, reading `window.localStorage` throws.
const storage = {
  getItem: (name: string) => window.localStorage.getItem(name),
  setItem: (name: string, value: string) => window.localStorage.setItem(name, value),
  removeItem: (name: string) => window.localStorage.removeItem(name),
  names: storedNames,
}

function leave(): void {
  opened?.drafts.flush()
  if (opened !== null) leaveTab(opened.user_id, opened.tab)
}

function close(): void {
  leave()
  opened = null
}

window.addEventListener('pagehide', leave)
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && opened !== null) takeTab(opened.user_id)
})
window.addEventListener('storage', ({ key }) => {
  if (key !== null) opened?.drafts.storageChanged(key)
})
// Stored first, because signing out may remove it from this browser.
useSession.subscribe(({ user }) => {
  if (user === null) close()
})
