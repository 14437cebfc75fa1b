import { create } from 'zustand'

/**
 * How many changes of the page are not stored anywhere yet and would be lost by leaving it. Drafts of questions do not
 * count; the browser keeps those.
 */
export const useUnsavedChanges = create<{ count: number }>(() => ({ count: 0 }))
