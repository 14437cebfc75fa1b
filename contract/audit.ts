import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { pageOf, paging } from './paging.ts'

/** What is written down of changes, signing in, and reading what belongs to others. Each has a text in the page. */
export const AUDIT_ACTIONS = [
  // people
  'user.created',
  'user.changed',
  'user.activated',
  'user.deactivated',
  'user.limits',
  'user.plan',
  'user.password',
  'user.own_api',
  'user.deleted',
  'user.erased',
  'user.linked',
  'user.exported',
  'user.legal_hold',
  'users.changed',
  'users.listed',
  // signing in
  'sign_in',
  'sign_in.failed',
  'sign_out',
  'sessions.ended',
  'provider.created',
  'provider.changed',
  'provider.deleted',
  // plans, invitations, and what is asked for and granted
  'plan.created',
  'plan.changed',
  'plan.deleted',
  'invitation.created',
  'invitation.revoked',
  'invitation.used',
  'usage.granted',
  'usage.declined',
  'usage.taken_back',
  // the portal
  'setting.changed',
  'secret.changed',
  'upstream.created',
  'upstream.changed',
  'upstream.deleted',
  'price.changed',
  'plugin.changed',
  'prompt.created',
  'prompt.changed',
  'prompt.deleted',
  'instructions.changed',
  'key.created',
  'key.changed',
  'key.rotated',
  'key.deleted',
  // conversations and files
  'conversation.read',
  'conversation.assigned',
  'conversation.renamed',
  'conversation.keep_asked',
  'conversation.kept',
  'conversation.not_kept',
  'conversation.deleted',
  'conversation.restored',
  'conversation.imported',
  'conversation.exported',
  'conversations.changed',
  'conversations.purged',
  'file.deleted',
  'files.removed',
  // work that runs by itself
  'job.started',
  'job.stopped',
  'audit.removed',
] as const
export const AuditAction = z.enum(AUDIT_ACTIONS)
export type AuditAction = z.infer<typeof AuditAction>

/**
 * Somebody signed in; a command of the machine; the program by itself; or signing in, where nobody is signed in yet.
 */
export const AuditActorKind = z.enum(['user', 'command', 'system', 'sign_in'])
export type AuditActorKind = z.infer<typeof AuditActorKind>

export const AuditSubjectKind = z.enum([
  'user',
  'users',
  'plan',
  'invitation',
  'provider',
  'setting',
  'secret',
  'upstream',
  'plugin',
  'prompt',
  'key',
  'conversation',
  'conversations',
  'file',
  'job',
  'audit',
])
export type AuditSubjectKind = z.infer<typeof AuditSubjectKind>

/** Fields of a change by name. `too_long` in their place: they had more room than is kept. */
const AuditValues = z.nullable(z.record(z.string(), z.json()))

/**
 * Whether a change can be undone: `possible`; `undone` already; `changed`: the same was changed since; `never`: a
 * secret, a deletion, what was read, and whatever has no opposite.
 */
export const AuditUndo = z.enum(['possible', 'undone', 'changed', 'never'])
export type AuditUndo = z.infer<typeof AuditUndo>

export const AuditRow = z.object({
  id: z.int(),
  time: Time,
  /** `name`: the nickname, the command or the job; null where it is not known or was forgotten. */
  actor: z.object({ kind: AuditActorKind, id: z.nullable(z.int()), name: z.nullable(z.string()) }),
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  action: AuditAction,
  /** The name of a conversation is its title now; null when it is gone. */
  subject: z.object({ kind: AuditSubjectKind, id: z.nullable(z.string()), name: z.nullable(z.string()) }),
  before: AuditValues,
  after: AuditValues,
  undo: AuditUndo,
  /** The row of the change that undid this one, with its time and who made it. */
  undone_by: z.nullable(z.object({ id: z.int(), time: Time, name: z.nullable(z.string()) })),
  /** The row that this change undid. */
  undoes: z.nullable(z.int()),
})
export type AuditRow = z.infer<typeof AuditRow>

const filters = {
  from: z.optional(Time),
  to: z.optional(Time),
  /** Who did it: a user id. */
  actor: z.optional(RowId),
  kind: z.optional(AuditActorKind),
  action: z.optional(AuditAction),
  subject: z.optional(AuditSubjectKind),
  subject_id: z.optional(z.string().check(z.maxLength(100), storable)),
  /** Words in the names of who did it and of what it was done to. */
  words: paging.words,
}
export const AuditQuery = z.object(filters)
export type AuditQuery = z.infer<typeof AuditQuery>

export const listAudit = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/audit',
  summary: 'What was changed, by whom and from where, the latest first.',
  query: z.object({ page: paging.page, size: paging.size, ...filters }),
  /** `kept_days`: how long a row is kept. `actors`: who made changes, the most first, for the filter. */
  result: z.extend(pageOf(AuditRow), {
    kept_days: z.int(),
    actors: z.array(z.object({ id: z.int(), name: z.nullable(z.string()) })),
  }),
} as const satisfies Call

export const exportAudit = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/audit.csv',
  summary: 'All rows that a filter leaves, oldest first, as a CSV file for spreadsheets.',
  query: AuditQuery,
  resultKind: 'file',
  result: z.null(),
} as const satisfies Call

export const undoAudit = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/audit/:id/undo',
  summary: 'Makes the opposite change, which is a row of its own; refused when the same was changed since.',
  params: z.object({ id: RowId }),
  result: AuditRow,
} as const satisfies Call
