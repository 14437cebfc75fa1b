import { useSession } from '#web/foundation/session.ts'
import { readStoredObject, writeStored } from '#web/foundation/stored.ts'

/** A leaf that was chosen and of which the server may not know, and the one where the server was when last heard of. */
export type Choice = { leaf: string; from: string | null }

/** The oldest leave when there are more. */
const MOST_CHOICES = 50

/** What the browser will not keep is kept as long as the page lives. */
const here = new Map<string, Choice>()

const nameOf = () => `branches.${useSession.getState().user?.id ?? 0}`

export function unsentChoice(conversation_id: string): Choice | null {
  return here.get(conversation_id) ?? choiceOf(readStoredObject(nameOf())[conversation_id])
}

export function keepChoice(conversation_id: string, choice: Choice | null): void {
  here.delete(conversation_id)
  const { [conversation_id]: _, ...others } = readStoredObject(nameOf())
  if (choice !== null) here.set(conversation_id, choice)
  const all = Object.entries(choice === null ? others : { ...others, [conversation_id]: choice }).slice(-MOST_CHOICES)
  writeStored(nameOf(), all.length === 0 ? null : JSON.stringify(Object.fromEntries(all)))
}

export function conversationsWithUnsentChoice(): string[] {
  return [...new Set([...here.keys(), ...Object.keys(readStoredObject(nameOf()))])]
}

/** Somebody may have written anything. */
function choiceOf(entry: unknown): Choice | null {
  if (typeof entry !== 'object' || entry === null || !('leaf' in entry) || !('from' in entry)) return null
  const { leaf, from } = entry
  return typeof leaf === 'string' && (typeof from === 'string' || from === null) ? { leaf, from } : null
}

// Signed out: somebody else may sit down here.
useSession.subscribe(({ user }) => {
  if (user === null) here.clear()
})
