import type { Configuration } from '#contract/configuration.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'

/** Concurrent uploads of one user, in this process. */
const MAX_AT_A_TIME = 2

/** Who may upload, and how much at once. */
export function uploadRules({ database, configuration }: { database: Database; configuration(): Configuration }) {
  const sending = new Map<number, number>()
  return {
    async requireAllowed(user_id: number): Promise<void> {
      const setting = await findEffectiveSetting(database, configuration(), user_id, 'openai_web')
      if (setting?.disable_uploading !== false || configuration().openai_web.disable_uploading)
        throw new Refusal('uploadingNotAllowed')
    },

    async limitConcurrency<T>(user_id: number, send: () => Promise<T>): Promise<T> {
      const others = sending.get(user_id) ?? 0
      if (others >= MAX_AT_A_TIME) throw new Refusal('tooManyRequests')
      sending.set(user_id, others + 1)
      try {
        return await send()
      } finally {
        const left = (sending.get(user_id) ?? 1) - 1
        if (left === 0) sending.delete(user_id)
        else sending.set(user_id, left)
      }
    },
  }
}
export type UploadRules = ReturnType<typeof uploadRules>
