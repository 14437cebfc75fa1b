import { create } from 'zustand'
import { type ConversationRecord, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Source } from '#contract/models.ts'
import { useUnsavedInstructions } from '#web/instructions/unsavedInstructions.ts'
import type { AskFields } from '#web/sources/source.ts'

/** The specification, section 4: a new conversation exists in the page alone until its first question is asked. */
type Unsaved = {
  source: Source
  model: string
  title: string
  /** What its source lets it begin with. */
  fields: AskFields
  create_time: string
}

type UnsavedState = {
  unsaved: Unsaved | null
  /** Models chosen since the page was loaded, by stored conversation. */
  models: Readonly<Record<string, string>>
  /** How hard a model is to think, chosen likewise; null: as it does by itself. */
  levels: Readonly<Record<string, string | null>>
}

export const useUnsaved = create<UnsavedState>(() => ({ unsaved: null, models: {}, levels: {} }))

export function holdConversation(unsaved: Omit<Unsaved, 'create_time'> | null): void {
  useUnsaved.setState({ unsaved: unsaved && { ...unsaved, create_time: new Date().toISOString() } })
}

/** Its first question is accepted, or somebody else may sign in. */
export function forgetUnsaved(): void {
  useUnsaved.setState(({ levels }) => ({ unsaved: null, levels: { ...levels, [NEW_CONVERSATION]: null } }))
  useUnsavedInstructions.setState({ instructions: null })
}

export function chooseModel(conversation_id: string, model: string): void {
  useUnsaved.setState(({ models }) => ({ models: { ...models, [conversation_id]: model } }))
}

export function chooseLevel(conversation_id: string, level: string | null): void {
  useUnsaved.setState(({ levels }) => ({ levels: { ...levels, [conversation_id]: level } }))
}

export function unsavedRecord({ source, model, title, create_time }: Unsaved): ConversationRecord {
  return {
    id: -1,
    source,
    conversation_id: NEW_CONVERSATION,
    source_id: null,
    title: title === '' ? null : title,
    user_id: null,
    is_valid: true,
    current_model: model,
    create_time,
    update_time: null,
  }
}
