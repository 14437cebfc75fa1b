import { createContext, useContext } from 'react'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import type { ModelChoices } from '../composer/modelChoice.tsx'

/** What may be done with the branches of a conversation now. It rarely changes, since every row of a thread reads it. */
export type BranchDesk = {
  source: Source
  /** With which model the next question is asked, and all that could be. */
  model: string | null
  models: readonly ModelChoice[]
  /** Why no other branch may be chosen now: a question is being answered. */
  busy: string | null
  /** Why nothing may be asked now. */
  notNow: string | null
  /** The question that the server has not got yet, under the id of its ask. */
  unsent: string | null
  /** What a button needs when it is pressed. */
  now(): AtHand
}

export type AtHand = {
  history: ConversationHistory
  choice: ModelChoices | null
  /** Opens another conversation, or a new one. */
  onShow(id: string | null): void
}

/** Null where a conversation is not stored yet, or only read. */
export const BranchDesk = createContext<BranchDesk | null>(null)

export const useBranchDesk = (): BranchDesk | null => useContext(BranchDesk)
