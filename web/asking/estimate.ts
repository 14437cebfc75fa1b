import { rounded } from '#web/conversations/sharedMeter/account.ts'

/** Seconds, rounded as the shared meter rounds them; null when there is nothing to wait for or nothing is known. */
export function roundedEstimate(seconds: number | null): number | null {
  return seconds === null || seconds <= 0 ? null : rounded(seconds)
}
