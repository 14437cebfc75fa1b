import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time } from './envelope.ts'
import { JobRun, NamedUser } from './jobs.ts'

/**
 * The job that compares the conversations of all web accounts with those that are known here. There is one, under this
 * key.
 */
export const SYNC_JOB = 'sync of conversations'
export const SYNC_KEY = 'all'

/**
 * How the listing of an account ended. Only `whole` shows which conversations are gone. `empty`: nothing was listed
 * although some are known; `repeated`: something was listed twice; `endless`: it had no end; `short`: more are missing
 * than can be gone; `failed`: it broke off.
 */
const LISTING_ENDS = ['whole', 'empty', 'repeated', 'endless', 'short', 'failed', 'stopped'] as const
export type ListingEnd = (typeof LISTING_ENDS)[number]

/** What a sync found at an account, personal and team conversations together. */
export const AccountSync = z.object({
  upstream_id: z.int(),
  /** Listed; then of these: not known before, with another title, valid again. */
  seen: z.int(),
  added: z.int(),
  renamed: z.int(),
  back: z.int(),
  /** Known conversations that the account no longer has. */
  gone: z.int(),
  listing: z.enum(LISTING_ENDS),
  /** `errors.<key>` of why it broke off. */
  message: z.nullable(z.string()),
})
export type AccountSync = z.infer<typeof AccountSync>

/** The label is null when the account is removed, blank where it has none. */
const NamedAccountSync = z.extend(AccountSync, { label: z.nullable(z.string()) })

export const ConversationSync = z.object({
  /** How many web accounts a sync would read. */
  accounts: z.int(),
  state: z.enum(['idle', 'waiting', 'running', 'stopping']),
  /**
   * The run that goes on: which account it reads, what it has found so far, and about how many there are; null
   * otherwise.
   */
  current: z.nullable(
    z.object({
      started_by: z.nullable(NamedUser),
      start_time: z.nullable(Time),
      upstream_id: z.nullable(z.int()),
      label: z.nullable(z.string()),
      done: z.int(),
      /** Null as long as nobody knows. */
      total: z.nullable(z.int()),
      added: z.int(),
      gone: z.int(),
    }),
  ),
  /** The run that ended last, and what it found at each account; null where there was none lately. */
  last: z.nullable(
    z.object({
      outcome: JobRun.shape.outcome,
      started_by: z.nullable(NamedUser),
      start_time: Time,
      end_time: Time,
      failure: JobRun.shape.failure,
      accounts: z.array(NamedAccountSync),
    }),
  ),
})
export type ConversationSync = z.infer<typeof ConversationSync>

export const readConversationSync = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/conversations/sync',
  summary: 'How far the sync of the web accounts’ conversations is, and what the last one found.',
  result: ConversationSync,
} as const satisfies Call

/**
 * `wait`: whether to answer only when the sync has ended, or after some seconds. Default true, as old clients expect.
 */
export const syncConversations = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/action/sync-openai-web-conv',
  summary: 'Compares the conversations of the shared web accounts with those that are known here.',
  query: z.object({ wait: z.optional(z.enum(['true', 'false'])) }),
  result: z.null(),
} as const satisfies Call
