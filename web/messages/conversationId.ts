import { createContext } from 'react'

/** The conversation that is being read, for what is asked of the server about it; null where there is none. */
export const ConversationId = createContext<string | null>(null)
