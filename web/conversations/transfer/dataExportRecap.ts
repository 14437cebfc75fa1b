import { type Raw, rawAt, textAt } from './rawValues.ts'

/** Seconds of one of each: 4 s, 1m 12s, 2 分, 3 minit. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(\d+(?:\.\d+)?)\s*(?:h\b|hours?|hrs?\b|小时|jam)/i, 3600],
  [/(\d+(?:\.\d+)?)\s*(?:m\b|min|分|minit)/i, 60],
  [/(\d+(?:\.\d+)?)\s*(?:s\b|sec|秒|saat)/i, 1],
]

/** How long a recap says that was thought; null where it does not say it in numbers. */
export function recapSeconds(message: Raw): number | null {
  const stated = rawAt(message, 'metadata')['finished_duration_sec']
  if (typeof stated === 'number' && Number.isFinite(stated) && stated >= 0) return stated
  const text = (textAt(rawAt(message, 'content'), 'content') ?? textAt(rawAt(message, 'content'), 'text') ?? '').slice(
    0,
    200,
  )
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const found = unit.exec(text)?.[1]
    return found === undefined ? [] : [Number(found) * seconds]
  })
  return parts.length === 0 ? null : parts.reduce((sum, each) => sum + each, 0)
}
