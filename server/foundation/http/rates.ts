import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'
import { Refusal } from '../refusal.ts'

type Bucket = { left: number; at: number }

/** How many keys are remembered; beyond that, those whose bucket is full again are forgotten. */
const MAX_BUCKETS = 20_000
const MINUTE = 60_000

/**
 * At most so many requests a minute for each key, a session or an address. A token bucket: it refills steadily, so
 * whoever has used it up waits for the next token, not for the next minute.
 */
export function requestRates(perMinute: () => number, clock: Pick<Clock, 'monotonic'>) {
  const buckets = new Map<string, Bucket>()

  const fill = (bucket: Bucket, allowed: number, now: number): void => {
    bucket.left = Math.min(allowed, bucket.left + ((now - bucket.at) * allowed) / MINUTE)
    bucket.at = now
  }

  const forgetFull = (allowed: number, now: number): void => {
    for (const [name, bucket] of buckets) {
      fill(bucket, allowed, now)
      if (bucket.left >= allowed) buckets.delete(name)
    }
    // All of them are in use: the oldest go, so that memory stays bounded whatever comes.
    for (const name of buckets.keys()) {
      if (buckets.size <= MAX_BUCKETS / 2) break
      buckets.delete(name)
    }
  }

  return {
    knows: (name: string): boolean => buckets.has(name),

    take(name: string): void {
      const allowed = perMinute()
      const now = clock.monotonic()
      let bucket = buckets.get(name)
      if (bucket === undefined) {
        if (buckets.size >= MAX_BUCKETS) forgetFull(allowed, now)
        bucket = { left: allowed, at: now }
        buckets.set(name, bucket)
      }
      fill(bucket, allowed, now)
      if (bucket.left < 1) {
        throw new Refusal('tooManyRequests', {
          retry_after_seconds: Math.ceil(((1 - bucket.left) * MINUTE) / allowed / 1000),
        })
      }
      bucket.left -= 1
    },
  }
}
export type RequestRates = ReturnType<typeof requestRates>

/** One customer of a provider often has a whole /64 of IPv6, so that counts as one address. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  try {
    const parsed = ipaddr.process(address)
    if (parsed.kind() === 'ipv4') return parsed.toString()
    return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
  } catch {
    return address
  }
}
