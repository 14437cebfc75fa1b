import { create } from 'zustand'

/**
 * Milliseconds. The specification, section 8: response errors stay 3 s, transport errors 5 s. `turnedAway` stays
 * longer, because its reader first has to take in another page; `notice` too: nobody waits for it.
 */
export const TOAST_DURATION = {
  success: 3000,
  refusal: 3000,
  transport: 5000,
  turnedAway: 8000,
  notice: 10_000,
} as const

/** Milliseconds for which an action can be undone. A toast with a button stays this long. */
export const UNDO_DURATION = 10_000

export type Toast = {
  id: number
  tone: keyof typeof TOAST_DURATION
  /** Of a refused call. It stands before the title (the specification, section 8). */
  code?: number
  title: string
  text: string
  /** Undoes what the toast reports. */
  undo?: () => void
  /** Offers to reload the page, which may help. */
  reload?: boolean
}

const MAX_TOASTS = 3
let lastId = 0

export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

/**
 * Shows a toast. At most three stay, the newest, and the same text is not shown twice. Toasts with an undo are exempt
 * from both, since the undo would go with them. Returns the id by which the toast can be dropped.
 */
export function showToast(toast: Omit<Toast, 'id'>): number {
  lastId += 1
  const id = lastId
  useToasts.setState(({ toasts }) => {
    const others = toasts.filter(
      ({ code, title, text, undo }) =>
        undo !== undefined || code !== toast.code || title !== toast.title || text !== toast.text,
    )
    const passing = others.filter(({ undo }) => undo === undefined)
    const gone = new Set(passing.slice(0, Math.max(0, others.length + 1 - MAX_TOASTS)))
    return { toasts: [...others.filter(other => !gone.has(other)), { ...toast, id }] }
  })
  return id
}

export function isShown(id: number): boolean {
  return useToasts.getState().toasts.some(toast => toast.id === id)
}

export function dropToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter(toast => toast.id !== id) }))
}

/** Drops the toast that asked to sign in, once that is done. */
export function dropTurnedAway(): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter(({ tone }) => tone !== 'turnedAway') }))
}

/** Reports something that the screen does not show by itself. */
export const toast = {
  success: (title: string, text = ''): void => void showToast({ tone: 'success', title, text }),
  /** Something that can be undone for 10 s. Returns the id by which its toast can be dropped. */
  undoable: (title: string, undo: () => void): number => showToast({ tone: 'success', title, text: '', undo }),
  /** A refusal made in the page; a failed call goes to reportFailure. */
  refusal: (title: string, text = ''): void => void showToast({ tone: 'refusal', title, text }),
  /** Says why another page is shown than the one that was requested. */
  turnedAway: (title: string, text: string): void => void showToast({ tone: 'turnedAway', title, text }),
  /** News that nobody has caused on this screen. */
  notice: (title: string, text = ''): void => void showToast({ tone: 'notice', title, text }),
  transport: (title: string, text = ''): void => void showToast({ tone: 'transport', title, text }),
}
