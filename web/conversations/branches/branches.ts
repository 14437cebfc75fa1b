import { createContext } from 'react'
import type { Message } from '#contract/messages.ts'

/** The tree that the shown path belongs to, and how to switch to another of its branches. */
export type Branches = {
  conversation_id: string
  mapping: Readonly<Record<string, Message>>
  /** Why no other branch can be looked at now. */
  busy: string | null
  onBranch(message_id: string): void
}

export const Branches = createContext<Branches | null>(null)
