import { create } from 'zustand'
import type { ConversationInstructions } from '#contract/instructions.ts'

/** Those of a conversation that is not stored yet: they go with its first question. Part of the first load. */
export const useUnsavedInstructions = create<{ instructions: ConversationInstructions | null }>(() => ({
  instructions: null,
}))
