import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time } from './envelope.ts'
import { Source } from './models.ts'

/** Both as they are written to the log, the least severe first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export const LogLevel = z.enum(LOG_LEVELS)
export type LogLevel = z.infer<typeof LogLevel>

/** Characters of a line, of which longer ones are cut. */
export const MAX_LOG_LINE = 65_536
const MAX_LOG_LINES = 5_000

/** Names what one process has written: when it started, its process id, and its machine. */
export const LogName = z.string().check(z.regex(/^\d{8}T\d{9}Z-\d{1,10}-[A-Za-z0-9-]{1,40}$/))

/** The log of one process, over all its files that are still there. */
export const ProcessLog = z.object({
  name: LogName,
  start_time: Time,
  process_id: z.int(),
  machine: z.string(),
  files: z.int(),
  bytes: z.int(),
  update_time: Time,
  /** Of the process that answers. */
  is_own: z.boolean(),
})
export type ProcessLog = z.infer<typeof ProcessLog>

/**
 * Why a reverse proxy's log cannot be read: nothing is set; there is no such file; it is a link, a device or the like;
 * it lies in the data folder; the portal may not read it; or the disk refuses.
 */
export const ProxyLogState = z.enum([
  'ready',
  'notSet',
  'missing',
  'notRegular',
  'inDataFolder',
  'notPermitted',
  'unreadable',
])
export type ProxyLogState = z.infer<typeof ProxyLogState>

export const LogFiles = z.object({
  /** The machine that answers: it lists what is in its own data folder. */
  machine: z.string(),
  /** The newest first. */
  processes: z.array(ProcessLog),
  proxy: z.object({
    state: ProxyLogState,
    path: z.nullable(z.string()),
    bytes: z.nullable(z.int()),
    update_time: z.nullable(Time),
  }),
})
export type LogFiles = z.infer<typeof LogFiles>

export const listLogFiles = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/logs/files',
  summary: 'The log files of this machine, by process, and the log of the reverse proxy.',
  result: LogFiles,
} as const satisfies Call

const keyword = z.string().check(z.minLength(1), z.maxLength(100), storable)

export const LogQuestion = z.object({
  /** Of which process; null: of the one that answers. */
  name: z.optional(z.nullable(LogName)),
  /** This level and worse. */
  level: z.optional(z.nullable(LogLevel)),
  /** Lines with one of these words are left out, whatever their case. */
  exclude_keywords: z._default(z.array(keyword).check(z.maxLength(50)), []),
  /** Only lines of this request. */
  request: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(64), storable))),
  max_lines: z._default(z.int().check(z.minimum(1), z.maximum(MAX_LOG_LINES)), 100),
  /** Only what came after an earlier answer: its `cursor`. */
  after: z.optional(z.nullable(z.string().check(z.maxLength(200), z.regex(/^[\w.:-]+$/)))),
})
export type LogQuestion = z.infer<typeof LogQuestion>

/** A line of a log. Control characters in it are written as \x1b. */
export const LogLine = z.object({
  time: z.nullable(Time),
  level: z.nullable(LogLevel),
  /** What happened; of a line that is not JSON, the whole line. */
  text: z.string(),
  /** What else the line says: names and values, and the stack of an error in lines of its own. */
  rest: z.string(),
  request: z.nullable(z.string()),
  /** Longer than MAX_LOG_LINE, and cut; or its end is not written. */
  is_cut: z.boolean(),
})
export type LogLine = z.infer<typeof LogLine>

export const LogLines = z.object({
  machine: z.string(),
  /** Whose lines these are; null for a reverse proxy's, and where there is no log. */
  process: z.nullable(ProcessLog),
  /** The oldest first. */
  lines: z.array(LogLine),
  /** For `after`. */
  cursor: z.nullable(z.string()),
  /**
   * Lines between `after` and the first of these are missing: there were more than were asked for, or the file was
   * replaced meanwhile. Without `after`: there are older ones.
   */
  has_more: z.boolean(),
  /** Bytes back to which was searched, where the search ended before it had found enough; else null. */
  searched_bytes: z.nullable(z.int()),
})
export type LogLines = z.infer<typeof LogLines>

export const readLogLines = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/logs/lines',
  summary: 'The last lines of the log of a process, or those that came after an earlier answer.',
  body: LogQuestion,
  result: LogLines,
} as const satisfies Call

export const ProxyLogQuestion = z.pick(LogQuestion, { exclude_keywords: true, max_lines: true, after: true })
export type ProxyLogQuestion = z.infer<typeof ProxyLogQuestion>

export const readProxyLogLines = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/logs/proxy',
  summary:
    'The last lines of the log of the reverse proxy, or those that came after an earlier answer. Query strings are masked.',
  body: ProxyLogQuestion,
  result: LogLines,
} as const satisfies Call

export const downloadLog = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/logs/files/:name',
  summary: 'The newest file of a process, as it is.',
  params: z.object({ name: LogName }),
  resultKind: 'file',
  result: z.unknown(),
} as const satisfies Call

export const AskMeta = z.object({ source: Source, model: z.string() })

/** Times in seconds with three decimals (the specification, section 3, "Logs and statistics"). */
export const AskLog = z.object({
  _id: z.string(),
  time: Time,
  meta: AskMeta,
  user_id: z.nullable(z.int()),
  conversation_id: z.nullable(z.string()),
  queueing_time: z.number(),
  ask_time: z.number(),
})
export type AskLog = z.infer<typeof AskLog>

export const LogFilter = z.object({
  max_lines: z._default(z.int().check(z.minimum(1), z.maximum(5000)), 100),
  exclude_keywords: z.optional(z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50)))),
})

export const readServerLog = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/logs/server',
  summary: 'The last lines of the server log, oldest first.',
  body: z.optional(z.nullable(LogFilter)),
  result: z.array(z.string()),
} as const satisfies Call

export const listAskLogs = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/logs/completions',
  summary: 'Asks, newest first.',
  query: z.object({
    start_time: z.optional(Time),
    end_time: z.optional(Time),
    max_results: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
  }),
  result: z.array(AskLog),
} as const satisfies Call
