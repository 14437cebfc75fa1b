import { pino, type DestinationStream, type Logger } from 'pino'
import { KEY_PREFIX } from '#contract/keys.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { storageRefusalOf } from './refusal.ts'

export type Log = Logger
export type LogLevel = 'INFO' | 'DEBUG' | 'WARNING'

/**
 * The names under which a secret or somebody's words might be handed to the log by mistake; never written, however
 * deep.
 */
const NEVER = [
  'password',
  'current_password',
  'secret',
  'token',
  'openai_api_key',
  'openai_web_access_token',
  'custom_openai_api_key',
  'api_key',
  'authorization',
  'cookie',
  'set-cookie',
  'database_url',
  'metrics_token',
  'arkose_token',
  'text_content',
  'content',
  'body',
  'query',
]
const PATHS = NEVER.map(name => (name.includes('-') ? `["${name}"]` : name))
const INSIDE = ['', '*', '*.*', '*.*.*']

const LEVELS: Record<LogLevel, string> = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn' }

/** Keys of other tools, which people paste where none is read. */
const KEYS = new RegExp(`${KEY_PREFIX}[0-9A-Za-z]{8,}`, 'g')
export const withoutKeys = (text: string): string => text.replaceAll(KEYS, `${KEY_PREFIX}***`)

/**
 * Passwords in addresses, bearer tokens and keys, which outside libraries like to put into the text of an error. No
 * expression looks at a character again and again: logs of reverse proxies have what strangers send.
 */
const IN_TEXT: [RegExp, string][] = [
  [/\b(\w[\w+.-]{0,30}:\/\/[^\s/:@]*):[^\s@/]*@/g, '$1:***@'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***'],
  [/\bsk-[\w-]{8,}/g, 'sk-***'],
  [/\?[^\s"'<>)]+/g, '?***'],
]

/**
 * Milliseconds. On a full disk, or without the database, everything fails, many times a second; one line in so long is
 * enough.
 */
const STORAGE_ERRORS_EVERY = 600_000

/**
 * Whether a line is to be written; errors of the disk, and of a database that cannot be reached, are limited in rate,
 * each by itself.
 */
function withoutFlood(): (given: unknown) => boolean {
  const lastLogged = new Map<RefusalKey, number>()
  return given => {
    const refusal = typeof given === 'object' && given !== null && 'err' in given ? storageRefusalOf(given.err) : null
    if (refusal === null) return true
    const isDue = performance.now() - (lastLogged.get(refusal.key) ?? -Infinity) >= STORAGE_ERRORS_EVERY
    if (isDue) lastLogged.set(refusal.key, performance.now())
    return isDue
  }
}

/** JSON lines on standard output. Give it names and numbers; never a body, a query or a message's text. */
export function openLog(level: LogLevel, destination?: DestinationStream): Log {
  const isDue = withoutFlood()
  return pino(
    {
      hooks: {
        logMethod(args, method) {
          if (isDue(args[0])) method.apply(this, args)
        },
      },
      level: LEVELS[level],
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: PATHS.flatMap(path => INSIDE.map(around => joined(around, path))), censor: '***' },
      serializers: { err: errorForLog, error: errorForLog, cause: errorForLog },
    },
    destination,
  )
}

/** Lines from this level on are written to standard output; set by `setLogLevel`. */
type LogConsole = { level: LogLevel }
const consoles = new WeakMap<Log, LogConsole>()

/** A file has at least what is INFO and worse: that is what somebody looks for afterwards. */
const levelWithFile = (level: LogLevel): LogLevel => (level === 'DEBUG' ? 'DEBUG' : 'INFO')

/** The same lines in a file of their own: those of the level, and always those from INFO on. */
export function openLogWithFile(
  level: LogLevel,
  file: { write(line: string): void },
  standardOutput: DestinationStream & { flushSync?(): void } = pino.destination({ fd: process.stdout.fd, sync: true }),
): Log {
  const shown: LogConsole = { level }
  const log = openLog(levelWithFile(level), {
    // Makes pino set `lastLevel` to the level of the line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      if (this.lastLevel >= (pino.levels.values[LEVELS[shown.level]] ?? 0)) standardOutput.write(line)
      file.write(line)
    },
    flushSync: () => standardOutput.flushSync?.(),
  } as DestinationStream & { lastLevel: number })
  consoles.set(log, shown)
  return log
}

export function setLogLevel(log: Log, level: LogLevel): void {
  const shown = consoles.get(log)
  if (shown !== undefined) shown.level = level
  log.level = LEVELS[shown === undefined ? level : levelWithFile(level)]
}

/** Of an error its kind, text, code and stack, and the same of its cause; no other property of it. */
function errorForLog(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? masked(error) : typeof error
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: name,
    message: masked(message),
    code,
    stack: stack === undefined ? undefined : masked(stack),
    cause: cause === undefined || depth > 4 ? undefined : errorForLog(cause, depth + 1),
  }
}

export function masked(text: string): string {
  return IN_TEXT.reduce((so_far, [found, instead]) => so_far.replaceAll(found, instead), withoutKeys(text))
}

function joined(around: string, path: string): string {
  if (around === '') return path
  return path.startsWith('[') ? `${around}${path}` : `${around}.${path}`
}
