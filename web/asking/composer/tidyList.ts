import { createContext } from 'react'

/** Opens the list of conversations, where some can be deleted. */
export const TidyList = createContext<() => void>(() => undefined)
