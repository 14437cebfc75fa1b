import { recordAudit } from '#server/audit/audit.ts'
import type { UndoHandler } from '#server/audit/log.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { forUpdate } from '#server/foundation/database/schema/definition.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { userStore } from '#server/users/store.ts'
import { conversationStore } from './store.ts'

/** Whose a conversation was and is. */
export async function auditAssignment(
  trx: Transaction,
  conversation_id: string,
  before: number | null,
  after: number | null,
): Promise<void> {
  if (before === after) return
  const subject = { kind: 'conversation', id: conversation_id } as const
  await recordAudit(trx, {
    action: 'conversation.assigned',
    subject,
    before: { owner: before },
    after: { owner: after },
  })
}

type Dependencies = { open: OpenDatabase; clock: Clock }

/** Gives a conversation back to whom it was taken from. */
export function undoingAssignments({ open, clock }: Dependencies): UndoHandler {
  return ({ subject_id, before, after }) =>
    open.transaction(async trx => {
      const row = await trx
        .selectFrom('conversations')
        .select('user_id')
        .where('conversation_id', '=', subject_id)
        .$call(forUpdate(open.engine))
        .executeTakeFirst()
      if (row === undefined) throw new Refusal('conversationNotFound')
      if (row.user_id !== after['owner']) throw new Refusal('changedMeanwhile')
      const owner = typeof before['owner'] === 'number' ? before['owner'] : null
      if (owner !== null && (await userStore(trx).find(owner)) === undefined) throw new Refusal('userNotFound')
      await trx
        .updateTable('conversations')
        .set({ user_id: owner, update_time: clock.now() })
        .where('conversation_id', '=', subject_id)
        .execute()
      await auditAssignment(trx, subject_id, row.user_id, owner)
    })
}

/** Of one conversation that is deleted or shown again, without its title. */
export async function auditVisibility(trx: Transaction, conversation_id: string, is_valid: boolean): Promise<void> {
  const action = is_valid ? 'conversation.restored' : 'conversation.deleted'
  await recordAudit(trx, { action, subject: { kind: 'conversation', id: conversation_id } })
}

/** Of all conversations of a person. */
export async function auditDeletion(trx: Transaction, deletion: number, owner: number): Promise<void> {
  const subject = { kind: 'conversations', id: deletion } as const
  await recordAudit(trx, { action: 'conversations.changed', subject, after: { action: 'hide', owner } })
}

/** Makes a conversation another person's. */
export const reassign = ({ open, clock }: Dependencies, conversation_id: string, owner: number): Promise<void> =>
  open.transaction(async trx => {
    const before = await conversationStore(trx).find(conversation_id)
    await conversationStore(trx).change(conversation_id, { user_id: owner, update_time: clock.now() })
    await auditAssignment(trx, conversation_id, before?.user_id ?? null, owner)
  })
