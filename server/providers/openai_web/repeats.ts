/** Characters that may be sent once more at once, and per second after that. */
const AT_ONCE = 128 * 1024
const PER_SECOND = 32 * 1024
/** What each costs beside its text. */
const EACH = 1_000

/** How much of an answer may be emitted again as a whole: enough for all that happens, and no way to make the traffic grow with the square. */
export function openAllowance(now: () => number = () => performance.now()) {
  let left = AT_ONCE
  let at = now()
  return {
    take(characters: number): boolean {
      const time = now()
      left = Math.min(AT_ONCE, left + ((time - at) / 1000) * PER_SECOND)
      at = time
      const cost = characters + EACH
      if (cost > left) return false
      left -= cost
      return true
    },
  }
}
