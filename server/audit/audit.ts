import type { AuditAction, AuditSubjectKind } from '#contract/audit.ts'
import { beginningOf } from '#contract/cutText.ts'
import { storableText } from '#contract/storableText.ts'
import { type Actor, currentActor } from '#server/foundation/actor.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { AuditValues } from '#server/foundation/database/schema/audit.ts'
import type { Json } from '#server/foundation/database/schema/portal.ts'

export type { AuditValues } from '#server/foundation/database/schema/audit.ts'

export type AuditEntry = {
  action: AuditAction
  /** A conversation has no name here: its title is looked up for as long as there is one, and goes with it. */
  subject: { kind: AuditSubjectKind; id: number | string | null; name?: string | null }
  /** The fields that changed, by name. Never a secret, a question or an answer. */
  before?: AuditValues | null
  after?: AuditValues | null
  /** Instead of whoever makes the request: who has just signed in, for one. */
  actor?: Partial<Actor>
}

/**
 * In `after`: how many people a change reaches, with the ids of some, which are shown as names. It is said about the
 * other fields, and is none that is undone.
 */
export const AFFECTED = 'affected'

/** Characters of a name, and of the JSON of each of `before` and `after`. */
const MAX_NAME = 200
const MAX_VALUES = 60_000

/**
 * Writes down a change in the transaction that makes it: both or neither. Who made it and from where comes from the
 * request, the command or the job.
 */
export async function recordAudit(trx: Transaction, entry: AuditEntry): Promise<number> {
  const { action, subject, before = null, after = null } = entry
  const actor = { ...currentActor(), ...entry.actor }
  const { kind, id: actor_id, name, address, user_agent, request_id, undoes } = actor
  const { id } = await trx
    .insertInto('audit')
    .values({
      time: Date.now(),
      actor_kind: kind,
      actor_id,
      actor_name: named(name),
      address,
      user_agent: user_agent === null ? null : storableText(user_agent),
      request_id,
      action,
      subject_kind: subject.kind,
      subject_id: subject.id === null ? null : String(subject.id),
      subject_name: subject.kind === 'conversation' ? null : named(subject.name ?? null),
      before: bounded(before),
      after: bounded(after),
      undoes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (undoes === null) return id
  await trx
    .updateTable('audit')
    .set({ undone_by: id })
    .where('id', '=', undoes)
    .where('undone_by', 'is', null)
    .execute()
  return id
}

/** Not again where the same one did the same to the same lately: for what others may repeat at will. */
export async function recordOnceIn(trx: Transaction, within_ms: number, entry: AuditEntry): Promise<void> {
  const { kind, id } = entry.subject
  const actor_id = { ...currentActor(), ...entry.actor }.id
  const lately = await trx
    .selectFrom('audit')
    .select('id')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', String(id))
    .where('action', '=', entry.action)
    .where('actor_id', 'is not distinct from', actor_id)
    .where('time', '>', Date.now() - within_ms)
    .limit(1)
    .executeTakeFirst()
  if (lately === undefined) await recordAudit(trx, entry)
}

/** For what is done in several transactions: a row of `recordAudit` says of all of it what is so by now. */
export async function continueAudit(trx: Transaction, id: number, after: AuditValues): Promise<void> {
  await trx
    .updateTable('audit')
    .set({ after: bounded(after) })
    .where('id', '=', id)
    .execute()
}

const named = (name: string | null): string | null => (name === null ? null : beginningOf(storableText(name), MAX_NAME))

/** A name and a password, or a query, within an address, and what looks like a key. */
const SECRETS: [RegExp, string][] = [
  [/(\w[\w+.-]{0,30}:\/\/)[^\s/@"']*@/g, '$1***@'],
  [/(\w[\w+.-]{0,30}:\/\/[^\s?"']*)\?[^\s"']+/g, '$1?***'],
  [/\bsk-[\w-]{8,}/g, 'sk-***'],
]

/** What is longer, or has a secret in it, cannot be undone. */
function bounded(values: AuditValues | null): AuditValues | null {
  if (values === null) return null
  const text = JSON.stringify(values)
  if (text.length > MAX_VALUES) return { too_long: true }
  const masked = SECRETS.reduce((so_far, [found, instead]) => so_far.replaceAll(found, instead), text)
  return masked === text ? values : { ...(JSON.parse(masked) as AuditValues), masked: true } // the same fields
}

/**
 * The fields that differ, before and after, for `recordAudit`; null where none does. Only what `before` or `after` has:
 * pass what may be shown.
 */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { before: AuditValues; after: AuditValues } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter(name => !isSame(before[name], after[name]))
  if (differing.length === 0) return null
  return { before: picked(before, differing), after: picked(after, differing) }
}

/** As JSON both say the same: a missing value is null. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

// settings and rows are of what JSON holds
const picked = (of: Readonly<Record<string, unknown>>, names: readonly string[]): AuditValues =>
  Object.fromEntries(names.map(name => [name, (of[name] ?? null) as Json]))
