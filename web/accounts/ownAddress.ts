/** Whether a key that is stored for one address stays with another. */
export function sameHost(before: string | null, now: string): boolean {
  return before !== null && URL.parse(before)?.origin === URL.parse(now.trim())?.origin
}
