import { create } from 'zustand'

/** One dialog, however many calls find the session gone. */
export const useLoginExpired = create<{ open: boolean }>(() => ({ open: false }))
