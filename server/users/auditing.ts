import { createHash } from 'node:crypto'
import { changedFields, recordAudit, recordOnceIn } from '#server/audit/audit.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { type UserRow, userStore } from './store.ts'

const subjectOf = ({ id, nickname }: Pick<UserRow, 'id' | 'nickname'>) =>
  ({ kind: 'user', id, name: nickname }) as const

/** What the audit keeps of an account: no password, and of the picture only which one it is. */
function auditedFields({ username, nickname, email, is_active, is_superuser, is_verified, remark, avatar }: UserRow) {
  const picture = avatar && createHash('sha256').update(avatar).digest('base64url').slice(0, 12)
  return { username, nickname, email, is_active, is_superuser, is_verified, remark, avatar: picture }
}

/** `before`: the row before the change, which has been made in this transaction. */
export async function auditUserChange(trx: Transaction, before: UserRow, hasNewPassword: boolean): Promise<void> {
  const after = await userStore(trx).find(before.id)
  if (after === undefined) return
  const subject = subjectOf(after)
  const changed = changedFields(auditedFields(before), auditedFields(after))
  if (changed !== null) await recordAudit(trx, { action: actionOf(before, after), subject, ...changed })
  if (hasNewPassword) await recordAudit(trx, { action: 'user.password', subject })
}

function actionOf(before: UserRow, { is_active }: UserRow) {
  if (before.is_active === is_active) return 'user.changed'
  return is_active ? 'user.activated' : 'user.deactivated'
}

export async function auditNewUser(trx: Transaction, id: number): Promise<void> {
  const row = await userStore(trx).find(id)
  if (row === undefined) return
  const { username, email, is_active, is_superuser } = row
  const after = { username, email, is_active, is_superuser }
  await recordAudit(trx, { action: 'user.created', subject: subjectOf(row), after })
}

/** Of an erased person nothing but the number stays. */
export async function auditRemoval(
  trx: Transaction,
  row: UserRow,
  action: 'user.deleted' | 'user.erased',
): Promise<void> {
  const { id, username, email } = row
  if (action === 'user.erased') await recordAudit(trx, { action, subject: { kind: 'user', id } })
  else await recordAudit(trx, { action, subject: subjectOf(row), before: { username, email } })
}

/** Before anything of it is written: what was begun is known, however it ends. */
export async function auditExport(trx: Transaction, user: Pick<UserRow, 'id' | 'nickname'>): Promise<void> {
  await recordAudit(trx, { action: 'user.exported', subject: subjectOf(user) })
}

/** Signing in, when the session is stored. */
export async function auditSignIn(trx: Transaction, id: number): Promise<void> {
  const row = await userStore(trx).find(id)
  if (row === undefined) return
  const actor = { kind: 'user', id, name: row.nickname } as const
  await recordAudit(trx, { action: 'sign_in', subject: subjectOf(row), actor })
}

/** Milliseconds in which failures to sign in as somebody are one row: anybody can make many. */
const FAILURES_ARE_ONE = 600_000

/** A wrong password for an account that there is. What was typed is not kept. */
export const auditFailedSignIn = (trx: Transaction, row: UserRow): Promise<void> =>
  recordOnceIn(trx, FAILURES_ARE_ONE, { action: 'sign_in.failed', subject: subjectOf(row) })

/** `ended`: how many there were. */
export async function auditEndedSessions(trx: Transaction, id: number, ended: number): Promise<void> {
  const row = await userStore(trx).find(id)
  if (row === undefined || ended === 0) return
  await recordAudit(trx, { action: 'sessions.ended', subject: subjectOf(row), after: { sessions: ended } })
}
