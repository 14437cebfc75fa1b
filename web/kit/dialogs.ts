import { create } from 'zustand'

/** What a question to the person says. The verb is repeated on the button: "删除对话", never "确定". */
export type Confirmation = {
  title: string
  text?: string
  verb: string
  danger?: boolean
  cancel?: string
  /** A name that must be typed first, where there is no way back. */
  typed?: string
}

export type OpenDialog = { question: Confirmation; answer(yes: boolean): void }

/** One at a time: no dialog over another. */
export const useDialog = create<{ dialog: OpenDialog | null }>(() => ({ dialog: null }))

export function confirm(question: Confirmation): Promise<boolean> {
  if (useDialog.getState().dialog !== null) return Promise.resolve(false)
  return new Promise(answer => useDialog.setState({ dialog: { question, answer } }))
}

export function answerDialog(yes: boolean): void {
  const { dialog } = useDialog.getState()
  useDialog.setState({ dialog: null })
  dialog?.answer(yes)
}
