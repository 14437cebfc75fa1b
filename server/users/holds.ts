import type { HeldUser, UserHold } from '#contract/keeping.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { userStore } from './store.ts'

/** People of whom everything is kept, as a court or an inquiry may want it. They are not told. */
export function openHolds({ open, clock }: { open: OpenDatabase; clock: Clock }) {
  async function read(user_id: number): Promise<HeldUser> {
    const user = await userStore(open.database).find(user_id)
    if (user === undefined) throw new Refusal('userNotExist')
    const { hold_time, hold_reason } = user
    return {
      on: hold_time !== null,
      reason: hold_reason,
      since: hold_time === null ? null : new Date(hold_time).toISOString(),
    }
  }

  return {
    read,

    async change(user_id: number, { on, reason }: UserHold): Promise<HeldUser> {
      if (on && (reason === null || reason === '')) throw new Refusal('holdNeedsReason')
      await open.transaction(async trx => {
        const before = await userStore(trx).find(user_id)
        if (before === undefined) throw new Refusal('userNotExist')
        // A later reason replaces the first; since when it is so stays.
        const held = { hold_time: before.hold_time ?? clock.now(), hold_reason: reason }
        await userStore(trx).change(user_id, on ? held : { hold_time: null, hold_reason: null })
        await recordAudit(trx, {
          action: 'user.legal_hold',
          subject: { kind: 'user', id: user_id, name: before.nickname },
          before: { on: before.hold_time !== null, reason: before.hold_reason },
          after: { on, reason: on ? reason : null },
        })
      })
      return read(user_id)
    },
  }
}
