import { useEffect, useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { type NewConversationChoice, NewConversationDialog } from '#web/conversations/NewConversationDialog.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { rememberSelection } from '#web/foundation/stored.ts'
import { useSession } from '#web/foundation/session.ts'
import { focusComposer } from './composer/composerField.ts'
import { holdConversation } from './drafts/unsaved.ts'

/** The dialog for a new conversation, and what happens when it is confirmed. */
export function NewConversation({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const portal = usePortal()
  const { user } = useSession()
  const started = useRef(false)
  // The dialog returns the focus at unmount; the composer takes it after that.
  useEffect(
    () => () => {
      if (started.current) setTimeout(focusComposer)
    },
    [],
  )
  if (portal === undefined || user === null) return null
  const start = (chosen: NewConversationChoice) => {
    rememberSelection(chosen)
    holdConversation(chosen)
    started.current = true
    onClose()
    void navigate({ to: '/conversation', search: {} })
  }
  return <NewConversationDialog portal={portal} setting={user.setting} onClose={onClose} onStart={start} />
}
