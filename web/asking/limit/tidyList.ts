import { createContext } from 'react'

/** Goes to the list of conversations, where one can be deleted. */
export const TidyList = createContext<() => void>(() => undefined)
