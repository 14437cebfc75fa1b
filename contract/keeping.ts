import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time, Uuid } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { Source } from './models.ts'

/** The job that removes for good what is past its time, every day at 04:00 of the portal. */
export const KEEPING_JOB = 'keeping'

/** What went in a run of the job. */
export const KeepingResult = z.object({
  /** Conversations whose people are told from now on that they go for their age. */
  announced: z.int(),
  /** Conversations that went for their age. */
  aged: z.int(),
  /** Conversations that were deleted long enough ago. */
  deleted: z.int(),
  /** Messages that were taken back long enough ago. */
  withdrawn: z.int(),
  files: z.int(),
  /** Conversations that their account did not hide, or that are kept for now: they are tried again the next day. */
  refused: z.int(),
  /** People, by what went of theirs, added up. */
  people: z.int(),
})
export type KeepingResult = z.infer<typeof KeepingResult>

/** A conversation of one’s own that was deleted and can be brought back. */
export const DeletedConversation = z.object({
  conversation_id: z.string(),
  title: z.nullable(z.string()),
  source: Source,
  model: z.nullable(z.string()),
  /** When it was deleted, as far as known. */
  deleted: z.nullable(Time),
  /** When it is removed for good; null: not for now. */
  ends: z.nullable(Time),
})
export type DeletedConversation = z.infer<typeof DeletedConversation>

/** The latest first. `days`: how long what is deleted now can be brought back. */
export const DeletedConversations = z.object({ conversations: z.array(DeletedConversation), days: z.int() })
export type DeletedConversations = z.infer<typeof DeletedConversations>

export const listDeletedConversations = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/deleted',
  summary: 'One’s own deleted conversations that can be brought back, and when each is removed for good.',
  result: DeletedConversations,
} as const satisfies Call

export const askToKeep = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/conv/:id/keep',
  summary:
    'Asks the administrators that a conversation of one’s own stays that will go for its age. It waits for them.',
  params: z.object({ id: Uuid }),
  result: z.null(),
} as const satisfies Call

/** A conversation that somebody wants to stay, which nobody has answered. */
export const KeepRequest = z.object({
  conversation_id: z.string(),
  title: z.nullable(z.string()),
  owner: z.nullable(NamedUser),
  /** When it was asked in last, and when its person wanted it to stay. */
  used: Time,
  asked: Time,
  /** Whose number of days would end it. */
  ends_by: z.object({ plan: z.nullable(z.string()), days: z.int() }),
})
export type KeepRequest = z.infer<typeof KeepRequest>

export const listKeepRequests = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/keep-requests',
  summary: 'Conversations whose people want them to stay in spite of their age, the longest waiting first.',
  result: z.array(KeepRequest),
} as const satisfies Call

export const answerKeepRequest = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/system/keep-requests/:id',
  summary: 'Keeps a conversation in spite of its age, or does not: then its person has seven days from now on.',
  params: z.object({ id: Uuid }),
  body: z.object({ keep: z.boolean() }),
  result: z.null(),
} as const satisfies Call

const days = z.optional(z.string().check(z.regex(/^(-1|\d{1,5})$/)))

/** What goes of one kind, and whose it is. The people with the most of it first; `people` counts them all. */
const Going = z.object({
  conversations: z.int(),
  people: z.int(),
  of: z.array(z.object({ owner: z.nullable(NamedUser), conversations: z.int() })),
})
export type Going = z.infer<typeof Going>

/** People of whom a plan, or a value of their own (null), says the days. -1 is for ever. */
const Apart = z.object({ plan: z.nullable(z.string()), days: z.int(), people: z.int() })
export type ApartFromSettings = z.infer<typeof Apart>

/** What goes at `time`. */
export const KeepingPreview = z.object({
  time: Time,
  aged: Going,
  deleted: Going,
  /** For whom the settings do not say the days. */
  apart: z.object({ aged: z.array(Apart), deleted: z.array(Apart) }),
  /** Files that go because they went with no question for so long, and their bytes. */
  files: z.object({ count: z.int(), bytes: z.int() }),
  /** Audit entries are kept for so many days. */
  audit_days: z.int(),
  /** People of whom nothing goes. */
  held: z.array(NamedUser),
})
export type KeepingPreview = z.infer<typeof KeepingPreview>

export const previewKeeping = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/keeping',
  summary: 'What is removed for good at the next 04:00, with the settings in force or with other numbers of days.',
  query: z.object({ conversation_days: days, deleted_days: days }),
  result: KeepingPreview,
} as const satisfies Call

export const MAX_HOLD_REASON = 500

export const UserHold = z.object({
  on: z.boolean(),
  /** Why, for whoever asks later; needed where it is set. */
  reason: z.nullable(z.string().check(storable, z.trim(), z.maxLength(MAX_HOLD_REASON))),
})
export type UserHold = z.infer<typeof UserHold>
/** `since`: null where nothing is held. */
export const HeldUser = z.object({ on: z.boolean(), reason: z.nullable(z.string()), since: z.nullable(Time) })
export type HeldUser = z.infer<typeof HeldUser>

const byUser = z.object({ id: RowId })

export const readHold = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/user/:id/hold',
  summary: 'Whether everything of a person is kept, and why.',
  params: byUser,
  result: HeldUser,
} as const satisfies Call

export const holdUser = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/user/:id/hold',
  summary: 'Keeps everything of a person: nothing of theirs is removed or erased until it is taken back.',
  params: byUser,
  body: UserHold,
  result: HeldUser,
} as const satisfies Call
