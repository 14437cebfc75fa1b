import {
  LOG_LEVELS,
  type LogFiles,
  type LogLevel,
  type LogLine,
  type LogLines,
  type LogQuestion,
  type ProxyLogQuestion,
} from '#contract/logFiles.ts'
import type { readServerLog } from '#contract/logs.ts'
import type { BodyOf } from '#contract/call.ts'
import type { Download } from '#server/foundation/http/download.ts'
import { machineName } from '#server/foundation/logFile.ts'
import type { Log } from '#server/foundation/logging.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { FoundLine } from './linesFromEnd.ts'
import { levelIn, readPortalLine, readProxyLine, textOfLine } from './logLine.ts'
import { type Cursor, cursorText, readCursor, type Tail, tailOf } from './logTail.ts'
import { openProcessLogs } from './processLogs.ts'
import { openProxyLog } from './proxyLog.ts'

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
function portalLineOf({ level, request, exclude_keywords }: LogQuestion): (line: FoundLine) => LogLine | null {
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
