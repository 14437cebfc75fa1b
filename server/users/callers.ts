import type { Clock } from '#server/foundation/clock.ts'
import { sessionStore } from './sessionStore.ts'
import type { Caller, User } from './user.ts'

/**
 * Whoever asked something that is begun later: it holds although their session may have ended since, as long as they
 * are active and have not ended all of them.
 */
export const lastingCaller = ({
  asked_at,
  ...caller
}: Omit<Caller, 'stillValid' | 'bounds'> & { asked_at: number }): Caller => ({
  ...caller,
  bounds: null,
  stillValid: async trx =>
    (await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', caller.user_id)
      .where('is_active', '=', true)
      .where(({ or, eb }) => or([eb('signed_out_time', 'is', null), eb('signed_out_time', '<', asked_at)]))
      .executeTakeFirst()) !== undefined,
})

export const sessionCaller = ({ id, session }: Pick<User, 'id' | 'session'>, clock: Pick<Clock, 'now'>): Caller => ({
  user_id: id,
  kind: 'session',
  id: session,
  bounds: null,
  stillValid: async trx => (await sessionStore(trx).findLive(session, clock.now())) !== undefined,
})
