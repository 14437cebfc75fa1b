import { useEffect, useRef } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { type Chosen, NewConversationDialog } from '#web/conversations/NewConversationDialog.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { rememberSelection } from '#web/foundation/stored.ts'
import { useSession } from '#web/foundation/session.ts'
import { focusComposer } from './composer/composerField.ts'
import { holdConversation } from './drafts/unsaved.ts'

/** The dialog, and what its choice begins. */
export function NewConversation({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const portal = usePortal()
  const { user } = useSession()
  const started = useRef(false)
  // A dialog gives the focus back to where it was when it is gone; from there one goes on to write.
  useEffect(
    () => () => {
      if (started.current) setTimeout(focusComposer)
    },
    [],
  )
  if (portal === undefined || user === null) return null
  const start = (chosen: Chosen) => {
    rememberSelection(chosen)
    holdConversation(chosen)
    started.current = true
    onClose()
    void navigate({ to: '/conversation', search: {} })
  }
  return <NewConversationDialog portal={portal} setting={user.setting} onClose={onClose} onStart={start} />
}
