type Listener = (conversation_id: string | null) => void

const listeners: Listener[] = []

/** Called when a conversation has been deleted; null: all of them. For subscribers that live as long as the page. */
export function onRemoval(listener: Listener): void {
  listeners.push(listener)
}

export function tellRemoval(conversation_id: string | null): void {
  for (const listener of listeners) listener(conversation_id)
}
