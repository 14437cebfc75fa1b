/** What a composer knows of prompts before anything of them is loaded. */
import { create } from 'zustand'

/** Of the prompts that were put into a draft: the shared ones, and the names of their blanks. */
export type InsertedPrompts = { shared: readonly number[]; required: readonly string[]; optional: readonly string[] }

/** By conversation, so that what is to be filled in is still known after a look at another one. */
export const useInsertedPrompts = create<Readonly<Record<string, InsertedPrompts>>>(() => ({}))

export type PromptState = {
  /** Shown beside the button of the composer. */
  hint: string | null
  /** Whether sending waits until blanks are filled in. */
  holds: boolean
  /** What is sent of a text. Called once, when it is sent. */
  finish(text: string): string
}

export const NO_PROMPT: PromptState = { hint: null, holds: false, finish: text => text }

/** The question that is being written. */
export type PromptDraft = { conversation: string; text: string; write(text: string): void }
