import { constants, type FileHandle, lstat, open } from 'node:fs/promises'
import {
  LOG_LEVELS,
  type LogFiles,
  type LogLevel,
  type LogLine,
  type LogLines,
  type LogQuestion,
  type ProxyLogQuestion,
  type ProxyLogState,
  downloadLog,
  listLogFiles,
  readLogLines,
  readProxyLogLines,
  readServerLog,
} from '#contract/logFiles.ts'
import type { BodyOf } from '#contract/call.ts'
import { SESSION_COOKIE } from '#contract/users.ts'
import { liesIn } from '#server/foundation/fileSystem.ts'
import { type Download, downloadAnswer } from '#server/foundation/http/download.ts'
import { machineName } from '#server/foundation/logFile.ts'
import { type Log, masked } from '#server/foundation/logging.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { type FileLine, type Cursor, cursorText, readCursor, type Tail, tailOf } from './logTail.ts'
import { openProcessLogs } from './processLogs.ts'

type Dependencies = {
  data_dir: string
  proxy_log_file: string | null
  /** The log of this process; null when it writes none. */
  own: string | null
}

export type Logs = ReturnType<typeof openLogs>

/** What the portal and the reverse proxy in front of it have written, for superusers to read. */
export function openLogs({ data_dir, proxy_log_file, own }: Dependencies) {
  const processes = openProcessLogs(data_dir, own)
  const machine = machineName()

  async function proxyState(): Promise<LogFiles['proxy']> {
    const { state, file } = await openProxyLog({ path: proxy_log_file, data_dir })
    if (file === null) return { state, path: proxy_log_file, bytes: null, update_time: null }
    await using opened = file
    const { size, mtime } = await opened.stat()
    return { state, path: proxy_log_file, bytes: size, update_time: mtime.toISOString() }
  }

  return {
    list: async (): Promise<LogFiles> => ({ machine, processes: await processes.list(), proxy: await proxyState() }),

    async lines(question: LogQuestion): Promise<LogLines> {
      const name = question.name ?? own
      const found = name === null ? null : await processes.parts(name)
      if (name === null || found === null) {
        if (question.name == null) return { machine, process: null, ...answerOf(null) }
        throw new Refusal('resourceNotFound')
      }
      const after = cursorIn(question.after)
      const read = portalLineOf(question)
      return { machine, process: found.process, ...answerOf(await tailOf(found.parts, { ...question, after, read })) }
    },

    async proxyLines(question: ProxyLogQuestion): Promise<LogLines> {
      const isExcluded = excluding(question.exclude_keywords)
      const tail = await tailOf(
        [{ part: 1, open: async () => (await openProxyLog({ path: proxy_log_file, data_dir })).file }],
        {
          ...question,
          after: cursorIn(question.after),
          read(line) {
            const text = textOfLine(line)
            return isExcluded(text) ? null : readProxyLine(text, line)
          },
        },
      )
      return { machine, process: null, ...answerOf(tail) }
    },

    /** For older clients: the lines of this process unchanged, with their line ends. */
    async lastLines(filter: BodyOf<typeof readServerLog>): Promise<string[]> {
      const { max_lines = 100, exclude_keywords } = filter ?? {}
      const found = own === null ? null : await processes.parts(own)
      const isExcluded = excluding(exclude_keywords ?? [])
      const { lines } = await tailOf(found?.parts ?? [], {
        max_lines,
        after: null,
        read(line) {
          const text = textOfLine(line)
          return isExcluded(text) ? null : { text: `${text}\n`, rest: '' }
        },
      })
      return lines.map(({ text }) => text)
    },

    /** The latest file of a process, up to its present length. */
    async download(name: string): Promise<Download> {
      const file = await processes.openNewest(name)
      if (file === null) throw new Refusal('resourceNotFound')
      const { size, ino, mtimeMs } = await file.stat()
      const all = { start: 0, end: Math.max(0, size - 1) }
      return {
        content: { createReadStream: part => file.createReadStream(part ?? all), close: () => file.close() },
        size,
        content_type: 'text/plain; charset=utf-8',
        name: `${name}.log`,
        tag: `${ino}-${size}-${mtimeMs}`,
      }
    },

    /** Each start removes what is too old: a job runs on one machine only, and each may have a folder of its own. */
    async begin(now: number, log: Log): Promise<void> {
      try {
        await processes.removeOld(now)
      } catch (cause) {
        log.warn({ err: cause }, 'old log files could not be removed')
      }
    },

    removeOld: (now: number): Promise<number> => processes.removeOld(now),
  }
}

/** Reads the lines that match. Cheap conditions come first, since most lines do not match. */
function portalLineOf({ level, request, exclude_keywords }: LogQuestion): (line: FileLine) => LogLine | null {
  const isExcluded = excluding(exclude_keywords)
  const isBelow = (found: LogLevel | null): boolean =>
    level != null && found !== null && LOG_LEVELS.indexOf(found) < LOG_LEVELS.indexOf(level)
  return line => {
    const text = textOfLine(line)
    if (isBelow(levelIn(text)) || isExcluded(text) || (request != null && !text.includes(request))) return null
    const read = readPortalLine(text, line)
    if (isBelow(read.level) || (request != null && read.request !== request)) return null
    // Excluded words are compared with the text as it is shown.
    return isExcluded(`${read.text} ${read.rest}`) ? null : read
  }
}

/** Whether a line has one of the words, whatever their case. */
function excluding(keywords: readonly string[]): (text: string) => boolean {
  const words = keywords.filter(word => word !== '').map(word => word.toLowerCase())
  if (words.length === 0) return () => false
  return text => {
    const searched = text.toLowerCase()
    return words.some(word => searched.includes(word))
  }
}

function cursorIn(text: string | null | undefined): Cursor | null {
  if (text == null) return null
  const cursor = readCursor(text)
  if (cursor === null) throw invalid(['body', 'after'], 'Not a cursor of an earlier answer')
  return cursor
}

function answerOf(tail: Tail<LogLine> | null): Omit<LogLines, 'machine' | 'process'> {
  if (tail === null) return { lines: [], cursor: null, has_more: false, searched_bytes: null }
  return { ...tail, cursor: tail.cursor === null ? null : cursorText(tail.cursor) }
}

type OpenedProxyLog = { state: 'ready'; file: FileHandle } | { state: Exclude<ProxyLogState, 'ready'>; file: null }

type ProxyLogFile = { path: string | null; data_dir: string }

/**
 * Opens the log of the reverse proxy; the caller closes it. Each time it must be a plain file outside the data folder -
 * no link, device or pipe - because others than the portal's user may write to its folder.
 */
async function openProxyLog({ path, data_dir }: ProxyLogFile): Promise<OpenedProxyLog> {
  if (path === null) return closed('notSet')
  try {
    const named = await lstat(path)
    if (!named.isFile()) return closed('notRegular')
    if (liesIn(path, data_dir)) return closed('inDataFolder')
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const opened = await file.stat()
    // Another file may have taken its place between the check and the open.
    if (opened.isFile() && opened.dev === named.dev && opened.ino === named.ino) return { state: 'ready', file }
    await file.close()
    return closed('notRegular')
  } catch (error) {
    return closed(stateOf(error))
  }
}

function closed(state: Exclude<ProxyLogState, 'ready'>): OpenedProxyLog {
  return { state, file: null }
}

function stateOf(error: unknown): Exclude<ProxyLogState, 'ready'> {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
  if (code === 'ELOOP') return 'notRegular'
  return code === 'EACCES' || code === 'EPERM' ? 'notPermitted' : 'unreadable'
}

/** Characters that would move the cursor, colour the text or change its direction. */
const CONTROL = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const DEEPEST_CAUSE = 5

const decoder = new TextDecoder()

/** Bytes that are not UTF-8 become U+FFFD. */
export const textOfLine = ({ bytes }: Pick<FileLine, 'bytes'>): string => decoder.decode(bytes).replace(/\r$/, '')

/** Writes control characters as \x1b, so that they are visible and have no effect. */
function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(CONTROL, character => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
  })
}

/** A line of the portal's own log. What is not one of its JSON lines is shown as it stands. */
export function readPortalLine(text: string, { isCut, isWhole }: Pick<FileLine, 'isCut' | 'isWhole'>): LogLine {
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
function levelIn(text: string): LogLevel | null {
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
export function readProxyLine(text: string, { isCut, isWhole }: Pick<FileLine, 'isCut' | 'isWhole'>): LogLine {
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

export function logRoutes<U extends SignedIn>(http: Http<U>, logs: Logs): void {
  http.answer(listLogFiles, () => logs.list())
  http.answer(readLogLines, ({ body }) => logs.lines(body))
  http.answer(readProxyLogLines, ({ body }) => logs.proxyLines(body))
  http.answer(readServerLog, ({ body }) => logs.lastLines(body))
  http.answer(downloadLog, async ({ params, request }) => downloadAnswer(request, await logs.download(params.name)))
}
