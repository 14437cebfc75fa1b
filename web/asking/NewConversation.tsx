import { useNavigate } from '@tanstack/react-router'
import { type Chosen, NewConversationDialog } from '#web/conversations/NewConversationDialog.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { rememberSelection } from '#web/foundation/remembered.ts'
import { useSession } from '#web/foundation/session.ts'
import { focusComposer } from './composerField.ts'
import { holdConversation } from './unsaved.ts'

/** Milliseconds: a closing dialog gives the focus back to where it was; after that it goes to the composer. */
const CLOSED_MS = 250

/** The dialog, and what its choice begins. */
export function NewConversation({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const portal = usePortal()
  const { user } = useSession()
  if (portal === undefined || user === null) return null
  const start = (chosen: Chosen) => {
    rememberSelection(chosen)
    holdConversation(chosen)
    onClose()
    void navigate({ to: '/conversation', search: {} })
    setTimeout(focusComposer, CLOSED_MS)
  }
  return <NewConversationDialog portal={portal} setting={user.setting} onClose={onClose} onStart={start} />
}
