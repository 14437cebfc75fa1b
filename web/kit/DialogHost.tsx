import { useCallback, useState } from 'react'
import { useSession } from '#web/foundation/session.ts'
import { useShortcut } from '#web/foundation/shortcuts.ts'
import { answerDialog, useDialog } from './dialogs.ts'
import { late } from './late.tsx'

const AskDialog = late(() => import('./AskDialog.tsx').then(module => module.AskDialog))
const ShortcutsDialog = late(() => import('./ShortcutsDialog.tsx').then(module => module.ShortcutsDialog))

/** Where the questions of `confirm` appear, and the card of shortcuts; what they are made of is loaded with the first one. */
export function DialogHost() {
  const { dialog } = useDialog()
  const [helping, setHelping] = useState(false)
  const signedIn = useSession(({ user }) => user !== null)
  const help = useCallback(() => setHelping(true), [])
  const closeHelp = () => setHelping(false)
  useShortcut('help', signedIn ? help : null)
  useShortcut('helpByOneKey', signedIn ? help : null)
  return (
    <>
      {dialog !== null && <AskDialog dialog={dialog} onMissing={() => answerDialog(false)} />}
      {helping && <ShortcutsDialog onClose={closeHelp} onMissing={closeHelp} />}
    </>
  )
}
