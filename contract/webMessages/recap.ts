import { type Raw, rawAt, textAt } from '../rawValues.ts'

export const isRecap = (message: Raw): boolean =>
  textAt(rawAt(message, 'content'), 'content_type') === 'reasoning_recap'

/** Units of time in a recap, in seconds: 4 s, 1m 12s, 2 分, 3 minit. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/(\d+(?:\.\d+)?)\s*(?:h\b|hours?|hrs?\b|小时|jam)/i, 3600],
  [/(\d+(?:\.\d+)?)\s*(?:m\b|min|分|minit)/i, 60],
  [/(\d+(?:\.\d+)?)\s*(?:s\b|sec|秒|saat)/i, 1],
]

/** The seconds of the thoughts before a recap; null where it has no number. */
export function recapSeconds(message: Raw): number | null {
  const stated = rawAt(message, 'metadata')['finished_duration_sec']
  if (typeof stated === 'number' && Number.isFinite(stated) && stated >= 0) return stated
  const content = rawAt(message, 'content')
  const text = (textAt(content, 'content') ?? textAt(content, 'text') ?? '').slice(0, 200)
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const found = unit.exec(text)?.[1]
    return found === undefined ? [] : [Number(found) * seconds]
  })
  return parts.length === 0 ? null : parts.reduce((sum, each) => sum + each, 0)
}
