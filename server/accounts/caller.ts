import type { User } from './user.ts'

/** Who asks, and what they have shown for it: the hash of a session's token. Admission asks whether it still holds. */
export type Caller = { user_id: number; credential: string }

export const callerOf = ({ id, session }: Pick<User, 'id' | 'session'>): Caller => ({
  user_id: id,
  credential: session,
})
