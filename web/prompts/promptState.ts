/** What a composer knows of prompts before anything of them is loaded. */
import { create } from 'zustand'
import { useSession } from '#web/foundation/session.ts'

/** Of the prompts that were put into a draft: the shared ones, and the names of their blanks. */
export type InsertedPrompts = { shared: readonly number[]; required: readonly string[]; optional: readonly string[] }

type AllInserted = Readonly<Record<string, InsertedPrompts>>

const STORED = 'prompts.inserted'

/**
 * By conversation, so that what is to be filled in is still known after a look at another one. Of this tab, as drafts
 * are, and there again after a reload.
 */
export const useInsertedPrompts = create<AllInserted>(stored)

function stored(): AllInserted {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as AllInserted) : {} // written below
  } catch {
    return {}
  }
}

useInsertedPrompts.subscribe(all => {
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(STORED)
    else sessionStorage.setItem(STORED, JSON.stringify(all))
  } catch {
    // Then they are forgotten with the page.
  }
})

// After signing out, another user may sign in on this page.
useSession.subscribe(({ user }) => {
  if (user === null) useInsertedPrompts.setState({}, true)
})

export type PromptState = {
  /** Shown beside the button of the composer. */
  hint: string | null
  /** What is sent of a text. Called once, when it is sent. */
  finish(text: string): string
}

export const NO_PROMPT: PromptState = { hint: null, finish: text => text }

/** The question that is being written. */
export type PromptDraft = { conversation: string; text: string; write(text: string): void }
