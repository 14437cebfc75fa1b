/** Stamps wrap round after this many microseconds (36^5, about a minute): no latency worth measuring is longer. */
export const STAMP_RANGE_US = 36 ** 5

/**
 * A token that says when it was sent: five base-36 digits of microseconds on the machine's monotonic clock, which all
 * processes of one machine share, and a space. As long as an ordinary token, so bytes can be counted in the same run.
 */
export function stampNow(): string {
  const now = Number((process.hrtime.bigint() / 1_000n) % BigInt(STAMP_RANGE_US))
  return `${now.toString(36).padStart(5, '0')} `
}
