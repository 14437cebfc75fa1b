import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { auditEndedSessions } from './auditing.ts'
import { type ProviderSessions, sessionStore } from './sessionStore.ts'

export const providerSessions = (open: OpenDatabase, announce: (ended: { session: string }) => void) => ({
  /** Those that began by a provider: all of them, those of a person, or what is one session there. */
  async endProviderSessions(which: ProviderSessions): Promise<void> {
    const ended = await open.transaction(async trx => {
      const rows = await sessionStore(trx).removeOfProvider(which)
      const ofUser = Map.groupBy(rows, ({ user_id }) => user_id)
      for (const [user_id, { length }] of ofUser) await auditEndedSessions(trx, user_id, length)
      return rows
    })
    for (const { token_hash } of ended) announce({ session: token_hash })
  },
})
