import { lazy, Suspense, useCallback, useState } from 'react'
import { useSession } from '#web/foundation/session.ts'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import { useDialog } from './dialogs.ts'

const AskDialog = lazy(() => import('./AskDialog.tsx').then(module => ({ default: module.AskDialog })))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx').then(module => ({ default: module.ShortcutsDialog })))

/** Where the questions of `confirm` appear, and the card of shortcuts; what they are made of is loaded with the first one. */
export function DialogHost() {
  const { dialog } = useDialog()
  const [helping, setHelping] = useState(false)
  const signedIn = useSession(({ user }) => user !== null)
  const help = useCallback(() => setHelping(true), [])
  useShortcut('help', signedIn ? help : null)
  useShortcut('helpByOneKey', signedIn ? help : null)
  return (
    <Suspense>
      {dialog !== null && <AskDialog dialog={dialog} />}
      {helping && <ShortcutsDialog onClose={() => setHelping(false)} />}
    </Suspense>
  )
}
