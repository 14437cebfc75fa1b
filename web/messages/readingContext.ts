import { createContext } from 'react'

/** The id of the conversation on the screen, for calls about it; null where there is none. */
export const ConversationId = createContext<string | null>(null)

/** Whether texts are shown as they were written; null leaves it to the message and to the preference. */
export const ShownPlain = createContext<boolean | null>(null)

/** Whether the answer around it still grows. */
export const AnswerGrows = createContext(false)
