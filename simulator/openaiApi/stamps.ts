/** Stamps wrap around after this many microseconds (36^5, about a minute), longer than any latency that is measured. */
export const STAMP_RANGE_US = 36 ** 5

/**
 * A token that is the time at which it is sent: five base-36 digits of microseconds of the monotonic clock, which all processes of a
 * machine share, and a space. It has the length of an ordinary token, so that bytes can be counted in the same run.
 */
export function stampNow(): string {
  const now = Number((process.hrtime.bigint() / 1_000n) % BigInt(STAMP_RANGE_US))
  return `${now.toString(36).padStart(5, '0')} `
}
