import { create } from 'zustand'

/** The question that is being changed; one at a time. */
export const useEditing = create<{ message_id: string | null }>(() => ({ message_id: null }))

export function editQuestion(message_id: string | null): void {
  useEditing.setState({ message_id })
}
