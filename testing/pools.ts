import type { PoolReading } from '#server/shares/gifts/pools.ts'

/** Accounts without windows, in which nobody has a share. */
export const NO_POOLS: PoolReading = { poolOf: () => null, view: () => Promise.resolve(null) }
