export type MessageKey = { conversation_id: string; message_id: string }
export type SearchedMessage = MessageKey & { text: string }
export type SearchQuestion = { conversation_ids_of_user: number; words: string; limit: number; skip?: number }

/** `total` counts all matches. */
export type SearchHit = { conversation_id: string; message_id: string; total: number }
