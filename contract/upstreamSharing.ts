/** How a shared account is divided among those who ask it: its windows, as set and as the account reports them. */
import * as z from 'zod/mini'
import { storable, Time } from './envelope.ts'
import { AccountWindow, AccountWindows, Keep, MemberNames, Sharing } from './shares.ts'

/** What an administrator sets of it. */
export const SharingFields = {
  /** Null or empty: nobody knows of any. */
  windows: z.nullable(AccountWindows),
  /** Left out where an account gets its first window: shares. */
  sharing: Sharing,
  keep: Keep,
  /** Of each window, for the owner, besides their share; none where there is no owner. Never lent. */
  reserve_percent: z.int().check(z.minimum(0), z.maximum(100)),
  names: MemberNames,
  owner_id: z.nullable(z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))),
  /** Accounts of one source with the same text are one pool, with the settings of the one that was added first. */
  pool: z.nullable(z.string().check(z.trim(), z.maxLength(80), storable)),
}

/** What an account says of one of its windows. Amounts in asks, tokens or the portal's currency. */
export const AccountWindowReport = z.object({
  unit: AccountWindow.shape.unit,
  window: AccountWindow.shape.window,
  models: z.nullable(z.array(z.string())),
  /** Null: it does not say how much there is. */
  capacity: z.nullable(z.number()),
  /** By everybody, also elsewhere, when it was said. */
  used: z.nullable(z.number()),
  ends_at: z.nullable(Time),
  reported_at: Time,
  /** What it says that it has now, which is not believed before an administrator has said so. */
  pending_capacity: z.nullable(z.number()),
})
export type AccountWindowReport = z.infer<typeof AccountWindowReport>
