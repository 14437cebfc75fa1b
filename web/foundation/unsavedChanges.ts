import { create } from 'zustand'

/** How many changes of the page are not stored anywhere yet: leaving it would lose them. Drafts of questions are none; the browser keeps those. */
export const useUnsavedChanges = create<{ count: number }>(() => ({ count: 0 }))
