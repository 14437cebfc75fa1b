import { SESSION_COOKIE } from '#contract/users.ts'
import { LOG_LEVELS, type LogLevel, type LogLine } from '#contract/logFiles.ts'
import { masked } from '#server/foundation/logging.ts'
import type { FoundLine } from './linesFromEnd.ts'

/** Characters that would move the cursor, colour the text or change its direction. */
const CONTROL = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const DEEPEST_CAUSE = 5

const decoder = new TextDecoder()

/** Bytes that are not UTF-8 become U+FFFD. */
export const textOfLine = ({ bytes }: Pick<FoundLine, 'bytes'>): string => decoder.decode(bytes).replace(/\r$/, '')

/** Writes control characters as \x1b, so that they are visible and have no effect. */
function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(CONTROL, character => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })
}

/** A line of the portal's own log. What is not one of its JSON lines is shown as it stands. */
export function readPortalLine(text: string, { isCut, isWhole }: Pick<FoundLine, 'isCut' | 'isWhole'>): LogLine {
  const is_cut = isCut || !isWhole
  const fields = objectIn(text)
  if (fields === null)
    return { time: null, level: levelIn(text), text: withoutControls(text), rest: '', request: null, is_cut }
  const { time, level, msg, request, ...others } = fields
  return {
    time: typeof time === 'string' && TIME.test(time) && !Number.isNaN(Date.parse(time)) ? time : null,
    level: isLevel(level) ? level : null,
    text: withoutControls(typeof msg === 'string' ? msg : ''),
    rest: withoutControls(restOf(others)),
    request: typeof request === 'string' && request !== '' ? withoutControls(request) : null,
    is_cut,
  }
}

/** The level of a line, without parsing it whole: pino writes the level first. Also works for a line that was cut. */
export function levelIn(text: string): LogLevel | null {
  const level = /^\{"level":"([a-z]{4,5})"/.exec(text)?.[1]
  return isLevel(level) ? level : null
}

/** A JSON string, which may be cut off. */
const JSON_TEXT = String.raw`"(?:[^"\\]|\\.|\\$)*(?:"|$)`
/** Headers of a request or an answer as Caddy writes them. */
const SECRET_HEADERS = new RegExp(
  String.raw`("(?:cookie|set-cookie|authorization|proxy-authorization|x-api-key|api-key)"\s*:\s*)(?:\[(?:\s*${JSON_TEXT},?)*\s*\]?|${JSON_TEXT})`,
  'gi',
)
const SESSION = new RegExp(String.raw`(${SESSION_COOKIE}(?:_\d+)?=)[^\s;,"'\\]+`, 'gi')

/** A line of a reverse proxy, unchanged except that query strings and credentials are removed. */
export function readProxyLine(text: string, { isCut, isWhole }: Pick<FoundLine, 'isCut' | 'isWhole'>): LogLine {
  const shown = withoutControls(masked(text).replaceAll(SECRET_HEADERS, '$1"***"').replaceAll(SESSION, '$1***'))
  return { time: null, level: null, text: shown, rest: '', request: null, is_cut: isCut || !isWhole }
}

function objectIn(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const isLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some(level => level === value)

/** Names and values in one line; the stacks of errors below. */
function restOf(fields: Record<string, unknown>): string {
  const stacks: string[] = []
  const named = Object.entries(fields).map(([name, value]) => {
    const error = errorIn(value)
    if (error === null) return `${name}=${shownValue(value)}`
    stacks.push(...error.stacks)
    return `${name}=${shownValue(error.line)}`
  })
  return [named.join(' '), ...stacks].filter(line => line !== '').join('\n')
}

/** Plain text stands as it is, everything else as JSON. */
function shownValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"={}]+$/.test(value) ? value : JSON.stringify(value)
}

/** An error as the log writes it (foundation/logging.ts), and its causes. */
function errorIn(value: unknown, depth = 0): { line: string; stacks: string[] } | null {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('message' in value)) return null
  const code = 'code' in value && typeof value.code === 'string' ? ` (${value.code})` : ''
  const line = `${String(value.type)}: ${String(value.message)}${code}`
  const stack = 'stack' in value && typeof value.stack === 'string' ? value.stack : line
  const cause = 'cause' in value && depth < DEEPEST_CAUSE ? errorIn(value.cause, depth + 1) : null
  const causes = cause?.stacks.map((each, at) => (at === 0 ? `caused by ${each}` : each)) ?? []
  return { line, stacks: [stack, ...causes] }
}
