import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { Source } from './models.ts'

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
