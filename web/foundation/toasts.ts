import { create } from 'zustand'

/** Milliseconds. The specification, section 8: response errors stay 3 s, transport errors 5 s. */
export const TOAST_DURATION = { success: 3000, refusal: 3000, transport: 5000 } as const

/** Milliseconds in which something can be taken back; so long its toast stays. */
export const UNDO_DURATION = 10_000

export type Toast = {
  id: number
  tone: keyof typeof TOAST_DURATION
  title: string
  text: string
  /** Takes back what the toast tells of. */
  undo?: () => void
}

const MOST = 3
let lastId = 0

export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

/** The newest stays; of more than three the oldest goes. The same words twice are shown once. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1
  const id = lastId
  useToasts.setState(({ toasts }) => {
    const others = toasts.filter(({ title, text }) => title !== toast.title || text !== toast.text)
    return { toasts: [...others, { ...toast, id }].slice(-MOST) }
  })
}

export function dropToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter(toast => toast.id !== id) }))
}
