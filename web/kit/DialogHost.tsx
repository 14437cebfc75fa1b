import { useCallback, useState } from 'react'
import { create } from 'zustand'
import { useSession } from '#web/foundation/session.ts'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import type { Confirmation } from './ConfirmDialog.tsx'
import { lazyComponent } from './lazyComponent.tsx'

const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog.tsx').then(module => module.ConfirmDialog))
const ShortcutsDialog = lazyComponent(() => import('./ShortcutsDialog.tsx').then(module => module.ShortcutsDialog))

type OpenDialog = { question: Confirmation; resolve(confirmed: boolean): void }

/** The open dialog. There is never a second one over it. */
const useOpenDialog = create<{ dialog: OpenDialog | null }>(() => ({ dialog: null }))

/**
 * Asks the person in a dialog, which closes with yes once the answer is `unneeded`. False also while another one is
 * open.
 */
export function confirm(question: Confirmation, unneeded?: AbortSignal): Promise<boolean> {
  if (useOpenDialog.getState().dialog !== null) return Promise.resolve(false)
  return new Promise(resolve => {
    const dialog = { question, resolve }
    useOpenDialog.setState({ dialog })
    unneeded?.addEventListener('abort', () => {
      if (useOpenDialog.getState().dialog === dialog) answer(true)
    })
  })
}

function answer(confirmed: boolean): void {
  const { dialog } = useOpenDialog.getState()
  useOpenDialog.setState({ dialog: null })
  dialog?.resolve(confirmed)
}

/** Renders the dialogs of `confirm` and the list of shortcuts. Their code is loaded with the first one. */
export function DialogHost() {
  const { dialog } = useOpenDialog()
  const [helping, setHelping] = useState(false)
  const signedIn = useSession(({ user }) => user !== null)
  const help = useCallback(() => setHelping(true), [])
  const closeHelp = () => setHelping(false)
  useShortcut('help', signedIn ? help : null)
  useShortcut('helpByOneKey', signedIn ? help : null)
  return (
    <>
      {dialog !== null && (
        <ConfirmDialog question={dialog.question} onAnswer={answer} onLoadError={() => answer(false)} />
      )}
      {helping && <ShortcutsDialog onClose={closeHelp} onLoadError={closeHelp} />}
    </>
  )
}
