import { createContext } from 'react'

/** Called when somebody follows a link to a conversation, so that the drawer of a phone closes. */
export const Opened = createContext<(() => void) | undefined>(undefined)
