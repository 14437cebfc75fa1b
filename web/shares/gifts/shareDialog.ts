import { create } from 'zustand'

/** What is open over the page: giving, asking for more, or one's ledger of an account. */
export type ShareDialog = { kind: 'give' | 'ask' | 'ledger'; upstream_id: number }

export const useShareDialog = create<{ dialog: ShareDialog | null }>(() => ({ dialog: null }))

/** Whatever popover the button is in lies over dialogs, and is closed. */
export function openShareDialog(dialog: ShareDialog, button?: Element): void {
  button?.closest<HTMLElement>('[popover]')?.hidePopover()
  useShareDialog.setState({ dialog })
}

export const closeShareDialog = (): void => useShareDialog.setState({ dialog: null })
