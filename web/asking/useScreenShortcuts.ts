import type { RefObject } from 'react'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { groupsOf } from '#web/conversations/groups.ts'
import { listQuery } from '#web/conversations/useConversations.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useShortcut } from '#web/foundation/shortcuts.ts'
import { focusComposer } from './composer/composerField.ts'

/** Milliseconds in which the drawer with the field in it has been drawn. */
const DRAWN_MS = 80

type Screen = {
  /** The key of the conversation that is open. */
  open: string
  searchInput: RefObject<HTMLInputElement | null>
  onList(): void
  onNew(): void
  onShow(id: string): void
}

/** What the keys do on the conversation screen; stopping and editing are with whoever can do them. */
export function useScreenShortcuts({ open, searchInput, onList, onNew, onShow }: Screen): void {
  const search = () => {
    if (searchInput.current === null) {
      onList()
      setTimeout(() => searchInput.current?.focus(), DRAWN_MS)
    } else {
      searchInput.current.focus()
      searchInput.current.select()
    }
  }
  const step = (steps: 1 | -1) => {
    const id = neighbourOf(open, steps)
    if (id !== null) onShow(id)
  }
  useShortcut('search', search)
  useShortcut('newConversation', onNew)
  useShortcut('focusComposer', focusComposer)
  useShortcut('previousConversation', () => step(-1))
  useShortcut('nextConversation', () => step(1))
}

/** The stored conversation above or below in the list; a new one stands above all. */
function neighbourOf(open: string, steps: 1 | -1): string | null {
  const records = groupsOf(queryClient.getQueryData(listQuery.queryKey) ?? [], new Date()).flatMap(
    group => group.records,
  )
  const at = open === NEW_CONVERSATION ? -1 : records.findIndex(({ conversation_id }) => conversation_id === open)
  return records[at + steps]?.conversation_id ?? null
}
