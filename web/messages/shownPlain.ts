import { createContext } from 'react'

/** Whether texts here are shown as they were written; null leaves it to what each is and to the preference. */
export const ShownPlain = createContext<boolean | null>(null)
