import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { ModelCode, Source } from './models.ts'
import { paging, pageOf } from './paging.ts'

/** Everybody's conversations, as a superuser looks after them. */

/** `gone_upstream`: valid, but its account does not know it. */
const CONVERSATION_STATES = ['valid', 'hidden', 'gone_upstream'] as const

/** Conditions for conversations; all that are given must hold. */
const conditions = {
  /** In titles, anywhere and in any order, without regard to case and width; or the id of one conversation. */
  words: paging.words,
  /** A user's id, or `nobody`. */
  owner: z.optional(z.union([RowId, z.literal('nobody')])),
  source: z.optional(Source),
  /** The model of the last answer. */
  model: z.optional(ModelCode),
  state: z.optional(z.enum(CONVERSATION_STATES)),
  /** The account or key that was asked last; it may be removed by now. */
  upstream_id: z.optional(RowId),
  /** The id of the deletion that hid them. */
  deletion: z.optional(RowId),
}
export const ConversationFilter = z.object(conditions)
export type ConversationFilter = z.infer<typeof ConversationFilter>

export const CONVERSATION_SORTS = ['title', 'owner', 'create_time', 'update_time'] as const

export const ConversationRow = z.object({
  id: z.int(),
  conversation_id: z.string(),
  title: z.nullable(z.string()),
  /** Null: nobody's. */
  owner: z.nullable(NamedUser),
  source: Source,
  /** The account or key that it was asked with last; the label is null when that is gone, blank where it has none. */
  upstream: z.nullable(z.object({ id: z.int(), label: z.nullable(z.string()) })),
  /** The model of the last answer. */
  model: z.nullable(z.string()),
  create_time: Time,
  update_time: z.nullable(Time),
  is_valid: z.boolean(),
  /** Since when its account says that it does not know it; null where it does, or has none. */
  gone_upstream: z.nullable(Time),
  /** Whether its web account shows it to everybody with its address, as far as that was read. */
  is_public: z.boolean(),
  /** When and by whom it was hidden, as far as known, and when it is removed for good; null when it is not hidden. */
  hidden: z.nullable(
    z.object({
      time: z.nullable(Time),
      by: z.nullable(NamedUser),
      deletion: z.nullable(z.int()),
      /** Null: not for now. */
      ends: z.nullable(Time),
    }),
  ),
})
export type ConversationRow = z.infer<typeof ConversationRow>

export const listEveryConversation = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/conversations',
  summary: 'Everybody’s conversations, a page at a time; the newest first unless asked otherwise.',
  query: z.object({ ...paging, ...conditions, sort: z.optional(z.enum(CONVERSATION_SORTS)) }),
  result: pageOf(ConversationRow),
} as const satisfies Call

/**
 * `time`: when it was counted. A change by filter sends it back as `before`, and so leaves later conversations alone.
 */
export const ConversationCounts = z.object({
  time: Time,
  all: z.int(),
  valid: z.int(),
  /** Valid or not. */
  nobodys: z.int(),
  /** When what is hidden now is removed for good, as the settings say. */
  hidden_end: Time,
  /** Models of last answers, the most frequent first. */
  models: z.array(z.object({ source: Source, model: z.string(), count: z.int() })),
})
export type ConversationCounts = z.infer<typeof ConversationCounts>

export const countConversations = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/conversations/counts',
  summary: 'How many conversations there are.',
  result: ConversationCounts,
} as const satisfies Call

export const CONVERSATION_ACTIONS = ['hide', 'restore', 'vanish', 'assign'] as const
export type ConversationAction = (typeof CONVERSATION_ACTIONS)[number]
/** Conversations that are named one by one. More are found by a filter. */
export const MAX_CONVERSATION_IDS = 500

const rowId = z.int().check(z.minimum(1), z.maximum(999_999_999_999_999))

/** Either `ids` or `filter`. By a filter only hidden conversations can be destroyed. */
export const ConversationChange = z
  .object({
    action: z.enum(CONVERSATION_ACTIONS),
    ids: z.optional(z.array(rowId).check(z.minLength(1), z.maxLength(MAX_CONVERSATION_IDS))),
    filter: z.optional(ConversationFilter),
    /** With a filter: conversations created or hidden later are left alone. */
    before: z.optional(Time),
    /** To whom, where the action is `assign`. */
    user_id: z.optional(rowId),
  })
  .check(
    z.refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'either ids or a filter'),
    z.refine(({ action, user_id }) => (action === 'assign') === (user_id !== undefined), 'a user where it assigns'),
    z.refine(
      ({ action, filter }) => action !== 'vanish' || filter === undefined || filter.state === 'hidden',
      'not hidden',
    ),
  )
export type ConversationChange = z.infer<typeof ConversationChange>

/** The job of such changes; the key of each is answered when it is started. */
export const CONVERSATION_JOB = 'conversations'

export const changeConversations = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/conversations/bulk',
  summary: 'Hides, restores, destroys or assigns many conversations, as a job that goes on by itself.',
  body: ConversationChange,
  /** `deletion`: the id by which the conversations that it hides can be restored together. */
  result: z.object({ key: z.string(), deletion: z.nullable(z.int()) }),
} as const satisfies Call

/** The result of that job. Rows are listed where ids were given; of a filter, only some that failed. */
export const ConversationChangeResult = z.object({
  action: z.enum(CONVERSATION_ACTIONS),
  deletion: z.nullable(z.int()),
  /** How many were changed, were so already, and could not be changed. */
  done: z.int(),
  already: z.int(),
  failed: z.int(),
  done_ids: z.array(z.int()),
  already_ids: z.array(z.int()),
  /** By the key of the reason, under `errors.`. */
  failed_ids: z.record(z.string(), z.array(z.int())),
})
export type ConversationChangeResult = z.infer<typeof ConversationChangeResult>

/** Conversations that were hidden together. */
export const Deletion = z.object({
  id: z.int(),
  time: Time,
  by: z.nullable(NamedUser),
  /** True where it was everything: a superuser's `DELETE /conv`. */
  of_all: z.boolean(),
  /** How many of them are still hidden. */
  hidden: z.int(),
})
export type Deletion = z.infer<typeof Deletion>

export const listDeletions = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/deletions',
  summary: 'The latest deletions of several conversations of which something can be restored.',
  result: z.array(Deletion),
} as const satisfies Call

/** Restores the conversations of a deletion that are still hidden. */
export const restoreDeletion = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/deletions/:id/restore',
  summary: 'Restores all conversations of a deletion, as a job.',
  params: z.object({ id: RowId }),
  result: z.object({ key: z.string() }),
} as const satisfies Call
