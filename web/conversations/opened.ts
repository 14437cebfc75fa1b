import { createContext } from 'react'

/** Told when somebody follows a link to a conversation; on a phone the drawer closes then. */
export const Opened = createContext<(() => void) | undefined>(undefined)
