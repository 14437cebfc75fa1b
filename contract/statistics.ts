import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { AskMeta } from './logs.ts'

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

/** Seconds; a positive multiple of 60. */
const granularity = z.object({ granularity: z.optional(z.string().check(z.regex(/^\d{1,7}$/))) })

export const readRequestStatistics = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/stats/request',
  summary: 'Requests by route and time.',
  query: granularity,
  result: z.array(RequestCount),
} as const satisfies Call

export const readAskStatistics = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/stats/ask',
  summary: 'Asks by model and time.',
  query: granularity,
  result: z.array(AskCount),
} as const satisfies Call

export const SystemInfo = z.object({
  /** Epoch seconds. */
  startup_time: z.number(),
  total_user_count: z.int(),
  total_conversation_count: z.int(),
  valid_conversation_count: z.int(),
})

export const readSystemInfo = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/info',
  summary: 'Counts of the portal.',
  result: SystemInfo,
} as const satisfies Call
