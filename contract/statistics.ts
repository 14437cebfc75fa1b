import * as z from 'zod/mini'
import { LoggedOutcome } from './askLog.ts'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { AskMeta } from './logFiles.ts'
import { ModelCode, Source } from './models.ts'

export const RequestCount = z.object({
  _id: z.object({ start_time: Time, route_path: z.string(), method: z.string() }),
  count: z.int(),
  user_ids: z.array(z.nullable(z.int())),
  avg_elapsed_ms: z.number(),
})
export const AskCount = z.object({
  _id: z.object({ start_time: Time, meta: AskMeta }),
  count: z.int(),
  user_ids: z.array(z.nullable(z.int())),
  total_queueing_time: z.number(),
  total_ask_time: z.number(),
})

/**
 * Seconds, 1800 unless said otherwise. Positive multiples of 1800 are always answered; finer multiples of 60 only of
 * the last 48 hours; others are refused (`errors.invalidParams`).
 */
const granularity = z.optional(z.string().check(z.regex(/^\d{1,7}$/)))

export const readRequestStatistics = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/stats/request',
  summary: 'Requests by route and time.',
  query: z.object({ granularity }),
  result: z.array(RequestCount),
} as const satisfies Call

export const readAskStatistics = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/stats/ask',
  summary: 'Asks by model and time.',
  query: z.object({ granularity }),
  result: z.array(AskCount),
} as const satisfies Call

/** Most buckets of a plot. Where the granularity would make more, a coarser one is answered. */
export const MAX_BUCKETS = 2_000
/** The largest series; all others are summed up in one more, whose names are null. */
export const MAX_SERIES = 24

/** A range of time. `from` defaults to 24 hours before `to`, and `to` to now. */
const range = { from: z.optional(Time), to: z.optional(Time) }

/**
 * Bucket i begins `granularity` seconds times i after `start`, which is a multiple of it since the epoch; the last one
 * may not be over.
 */
const buckets = { start: Time, granularity: z.int(), count: z.int() }

/** One number a bucket. */
const Values = z.array(z.number())

export const AskSeries = z.object({
  source: z.nullable(Source),
  model: z.nullable(z.string()),
  total: z.int(),
  /** Asks, and seconds that they waited and were answered, summed up. */
  asks: Values,
  queueing_time: Values,
  ask_time: Values,
})
export type AskSeries = z.infer<typeof AskSeries>

/** The figures are those of all buckets of the plot. */
export const AskPlot = z.object({
  ...buckets,
  series: z.array(AskSeries),
  /** Asks that ended so, a number a bucket; an outcome that nothing had is left out. */
  outcomes: z.partialRecord(LoggedOutcome, Values),
  figures: z.object({
    /** Without those that were refused. */
    asks: z.int(),
    failed: z.int(),
    /** By a limit. */
    refused: z.int(),
    left_queue: z.int(),
    /** Seconds; null when nothing was asked. */
    mean_queueing_time: z.nullable(z.number()),
    longest_queueing_time: z.nullable(z.number()),
  }),
})
export type AskPlot = z.infer<typeof AskPlot>

export const readAskPlot = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/plots/asks',
  summary: 'Asks of a range by model and time, and their figures.',
  query: z.object({ ...range, granularity }),
  result: AskPlot,
} as const satisfies Call

export const RequestSeries = z.object({
  /** WEBSOCKET for the chat socket. */
  method: z.nullable(z.string()),
  /** The template of the path: /conv/:id. */
  route_path: z.nullable(z.string()),
  total: z.int(),
  requests: Values,
  /** Milliseconds that they took, summed up. */
  elapsed_ms: Values,
})
export type RequestSeries = z.infer<typeof RequestSeries>

export const RequestPlot = z.object({ ...buckets, series: z.array(RequestSeries) })
export type RequestPlot = z.infer<typeof RequestPlot>

export const readRequestPlot = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/plots/requests',
  summary: 'Requests of a range by route and time.',
  query: z.object({ ...range, granularity }),
  result: RequestPlot,
} as const satisfies Call

export const PlotUsers = z.object({
  /** At most eight, in descending order. `user_id` null: requests without a session. */
  people: z.array(z.object({ user_id: z.nullable(z.int()), nickname: z.nullable(z.string()), count: z.int() })),
  /** How many people there are. */
  total: z.int(),
})
export type PlotUsers = z.infer<typeof PlotUsers>

/** The people of one bucket, fetched when somebody points at it: those of all buckets would be too many. */
export const readPlotUsers = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/plots/people',
  summary: 'Who asked, or made requests, in a bucket of a plot.',
  query: z.object({
    of: z.enum(['asks', 'requests']),
    from: Time,
    to: Time,
    /** To select one series. */
    source: z.optional(Source),
    model: z.optional(ModelCode),
    method: z.optional(z.string().check(z.maxLength(20))),
    route_path: z.optional(z.string().check(z.maxLength(200))),
  }),
  result: PlotUsers,
} as const satisfies Call

export const SystemInfo = z.object({
  /** Epoch seconds. */
  startup_time: z.number(),
  total_user_count: z.int(),
  /** How many of them were active lately. The common status, which everybody may read, leaves superusers out. */
  active: z.object({ in_5m: z.int(), in_1h: z.int(), in_1d: z.int() }),
  total_conversation_count: z.int(),
  valid_conversation_count: z.int(),
  /** The size of the database; null when not known. */
  database: z.object({ engine: z.enum(['sqlite', 'postgresql']), bytes: z.nullable(z.number()) }),
  /** The disk of the data folder; null when not known. */
  disk: z.nullable(z.object({ free_bytes: z.number(), total_bytes: z.number() })),
})
export type SystemInfo = z.infer<typeof SystemInfo>

export const readSystemInfo = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/info',
  summary: 'Counts of the portal.',
  result: SystemInfo,
} as const satisfies Call
