/** What somebody lent lately: one number a person and pool, in asks, which halves in a week. */
export type LentHistory = { amount: number; at: number }

const HALF_LIFE_MS = 7 * 86_400_000

export const lentNow = ({ amount, at }: LentHistory, now: number): number =>
  amount * 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS)

/** With one that was lent now. */
export const lentMore = (history: LentHistory | null, lent: number, now: number): LentHistory => ({
  amount: (history === null ? 0 : lentNow(history, now)) + lent,
  at: Math.max(now, history?.at ?? now),
})
