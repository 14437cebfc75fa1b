import { type Fields, isFields, unfolded } from './looseJson.ts'

/** Seconds: a week. What is further away is waited for so long, and then asked about again. */
export const MAX_WAIT = 604_800
/** Seconds: a year. What is even further away is a mistake, and not believed at all. */
const ABSURD = 31_536_000

/** Numbers from here on are no lengths of time but moments: epoch seconds, and epoch milliseconds. */
const EPOCH = { seconds: 1_000_000_000, milliseconds: 1_000_000_000_000 }

/** How deep in an error times are looked for, and in how many of its fields. */
const DEEPEST = 8
const MAX_FIELDS = 500

/** What an answer says in its headers: `name` in small letters. */
export type Headers = { names: readonly string[]; get(name: string): string | undefined }

export const NO_HEADERS: Headers = { names: [], get: () => undefined }

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli|毫秒)/, 0.001],
  [/^(?:s|秒)/, 1],
  [/^(?:m|分)/, 60],
  [/^(?:h|个?小?时)/, 3_600],
  [/^(?:d|天|日)/, 86_400],
  [/^(?:w|周)/, MAX_WAIT],
]
const UNIT =
  '(?:milliseconds?|millis|ms|毫秒|seconds?|secs?|s|秒钟?|minutes?|mins?|m|分钟?|hours?|hrs?|h|个?小时|days?|d|天|日|weeks?|w|周)(?![a-z])'
const PART = String.raw`(?:\d{1,12}(?:\.\d{1,9})?|\b(?:an?|one)(?=\s))\s{0,2}${UNIT}`
const DURATION = String.raw`${PART}(?:[\s,]{0,2}(?:and\s)?${PART}){0,4}`
const ONLY_DURATION = new RegExp(`^${DURATION}$`)
const EACH_PART = new RegExp(String.raw`(\d{1,12}(?:\.\d{1,9})?|\b(?:an?|one)(?=\s))\s{0,2}(${UNIT})`, 'g')
const ISO_DURATION = /^p(?:(\d{1,9})d)?(?:t(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,9})?)s)?)?$/
const CLOCK_DURATION = /^(\d{1,4}):(\d{2}):(\d{2})$/
/** Dates of HTTP and of ISO 8601: what else `Date.parse` takes is no date that anybody meant. */
const DATE = /^(?:\d{4}-\d{2}-\d{2}|[a-z]{3,9},?\s)/

const RETRY_WORDS = String.raw`(?:again|retry(?:ing)?|retry[-_ ]after|wait(?:ing)?|back|resets?|available|clears?|renews?|access|cool\w{0,10}|until)`
const DATE_IN_WORDS = String.raw`\d{4}-\d{2}-\d{2}(?:t|\s(?:at\s)?)\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?`
const IN_WORDS: readonly RegExp[] = [
  new RegExp(String.raw`${RETRY_WORDS}[^\n\d]{0,40}?(${DURATION})`),
  new RegExp(String.raw`(${DURATION})\s{0,2}(?:后|之后|以后|later)`),
  new RegExp(String.raw`${RETRY_WORDS}[^\n]{0,40}?(${DATE_IN_WORDS})`),
  new RegExp(String.raw`(?:again|retry)[ -](?:in|after):?\s(\d{1,9}(?:\.\d{1,9})?)(?=[.,;)]|\s*$)`, 'm'),
]

/** Names of fields that tell a time, in whatever way they are written, and the unit behind it. */
const FIELD =
  /^(?:x?retry(?:after|in|at|delay|time)|tryagain(?:in|at|after)|waittime|wait|cooldown(?:until|ends?)?|clears?(?:in|at|after|on)|resets?(?:in|at|after|time|date|on)?|x?ratelimitreset|next(?:retry|reset|available)(?:at|in|time)?|available(?:in|at)|(?:blocked|limited|locked)until|secondsuntilreset|untilreset)(?:in)?(?:s|secs?|seconds|ms|millis|milliseconds|epoch|utc|timestamp)?$/
const OF_MILLISECONDS = /(?:ms|millis|milliseconds)$/

/** In how many seconds an upstream may be asked again, rounded up, wherever it says so; null where it does not. */
export function retryTimeOf(
  { value, words, headers }: { value: unknown; words: string; headers: Headers },
  isRateLimit: boolean,
  now: number,
): number | null {
  const said = [headerTime(headers, now), fieldTime(value, now)].filter(seconds => seconds !== null)
  // The longer of two holds: a proxy on the way says what it says to everybody.
  if (said.length > 0) return Math.max(...said)
  return timeInWords(words, now) ?? (isRateLimit ? bucketTime(headers, now) : null)
}

function headerTime({ names, get }: Headers, now: number): number | null {
  const inMilliseconds = names.find(name => name.endsWith('retry-after-ms'))
  const exact = inMilliseconds === undefined ? null : timeOf(get(inMilliseconds), now, true)
  return exact ?? timeOf(get('retry-after'), now)
}

/** Seconds of a time as it is written: a length, or a moment. */
export const timeOf = (given: unknown, now: number, isMilliseconds = false): number | null =>
  believed(secondsUntil(given, now, isMilliseconds))

/** The same as it is written, however far; NaN where it is no time. */
export function secondsUntil(given: unknown, now: number, isMilliseconds = false): number {
  if (typeof given === 'number') return secondsOfNumber(given, now, isMilliseconds)
  if (isFields(given)) return secondsOfFields(given)
  if (typeof given !== 'string' || given.length > 100) return Number.NaN
  const text = given.trim().toLowerCase()
  if (/^\d+(?:\.\d+)?$/.test(text)) return secondsOfNumber(Number(text), now, isMilliseconds)
  return secondsOfDuration(text) ?? (DATE.test(text) ? (momentOf(text) - now) / 1000 : Number.NaN)
}

function believed(seconds: number): number | null {
  return seconds >= 0 && seconds <= ABSURD ? Math.min(Math.ceil(seconds), MAX_WAIT) : null
}

function secondsOfNumber(number: number, now: number, isMilliseconds: boolean): number {
  if (number >= EPOCH.milliseconds) return (number - now) / 1000
  if (isMilliseconds) return number / 1000
  return number >= EPOCH.seconds ? number - now / 1000 : number
}

/** As protocol buffers have it. */
function secondsOfFields({ seconds, nanos }: Fields): number {
  const whole = typeof seconds === 'string' ? Number(seconds) : seconds
  if (typeof whole !== 'number') return Number.NaN
  return whole + (typeof nanos === 'number' ? nanos / 1e9 : 0)
}

function secondsOfDuration(text: string): number | null {
  if (ONLY_DURATION.test(text)) return sumOf(text)
  const [, hours, minutes, seconds] = CLOCK_DURATION.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
  const parts = text.length > 2 ? ISO_DURATION.exec(text) : null
  if (parts === null) return null
  const [d = '0', h = '0', m = '0', s = '0'] = parts.slice(1)
  return Number(d) * 86_400 + Number(h) * 3_600 + Number(m) * 60 + Number(s)
}

function sumOf(duration: string): number {
  let seconds = 0
  for (const [, count = '', unit = ''] of duration.matchAll(EACH_PART)) {
    const [, each = 0] = UNITS.find(([spelt]) => spelt.test(unit)) ?? []
    seconds += (/^\d/.test(count) ? Number(count) : 1) * each
  }
  return seconds
}

/** Epoch milliseconds of a date in small letters. One without a zone is of UTC. */
function momentOf(text: string): number {
  const plain = text.replace(/\sat\s/, ' ').replace(/\s?(?:utc|gmt)$/, 'z')
  const iso = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(z|[+-]\d{2}:?\d{2})?$/.exec(plain)
  if (iso === null) return Date.parse(text.toUpperCase())
  return Date.parse(`${iso[1] ?? ''}T${iso[2] ?? ''}${(iso[3] ?? 'z').toUpperCase()}`)
}

/**
 * The fields of an error that tell a time. Those that stand nearest to its beginning count: what is deeper may speak of
 * something else.
 */
function fieldTime(value: unknown, now: number): number | null {
  let level: unknown[] = [value]
  let seen = 0
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const times: number[] = []
    const next: unknown[] = []
    for (const each of level) {
      for (const [name, inner] of entriesOf(each)) {
        if ((seen += 1) > MAX_FIELDS) break
        const written = name.toLowerCase().replace(/[^a-z]/g, '')
        const time = FIELD.test(written) ? timeOf(inner, now, OF_MILLISECONDS.test(written)) : null
        if (time === null) next.push(unfolded(inner))
        else times.push(time)
      }
    }
    if (times.length > 0) return Math.max(...times)
    level = next
  }
  return null
}

function entriesOf(value: unknown): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map(each => ['', each] as const)
  return isFields(value) ? Object.entries(value) : []
}

/** `words` in small letters. */
function timeInWords(words: string, now: number): number | null {
  for (const spoken of IN_WORDS) {
    const said = spoken.exec(words)?.[1]
    const time = said === undefined ? null : timeOf(said, now)
    if (time !== null) return time
  }
  return null
}

/**
 * When a limit is free again by the headers that every answer has. Of several limits it is one of which nothing
 * remains; else one of tokens, since some were left, but fewer than the request needs.
 */
function bucketTime({ names, get }: Headers, now: number): number | null {
  const limits = names.flatMap(name => {
    if (!/rate-?limit[a-z-]*reset/.test(name)) return []
    const seconds = timeOf(get(name), now)
    const remaining = get(name.replace('reset', 'remaining'))
    return seconds === null ? [] : [{ name, seconds, remaining: remaining === undefined ? null : Number(remaining) }]
  })
  const spent = limits.filter(({ remaining }) => remaining === 0)
  const known = spent.length > 0 ? spent : limits.filter(({ remaining }) => remaining === null)
  const blocking = known.length > 0 ? known : limits.filter(({ name }) => name.includes('token'))
  if (blocking.length > 0) return Math.max(...blocking.map(({ seconds }) => seconds))
  const standard = /(?:^|[;,\s])(?:t|reset)=(\d{1,9})/.exec(get('ratelimit') ?? '')?.[1]
  return standard === undefined ? null : timeOf(standard, now)
}
