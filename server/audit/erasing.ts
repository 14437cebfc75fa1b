import type { Transaction } from '#server/foundation/database/open.ts'

/**
 * Of an erased person no name, address or value stays in the audit; that something was changed, and when, does. Who
 * opened their conversations goes with them, and why.
 */
export async function forgetInAudit(trx: Transaction, user_id: number): Promise<void> {
  const nameless = { actor_name: null, address: null, user_agent: null }
  await trx.updateTable('audit').set(nameless).where('actor_id', '=', user_id).execute()
  await trx
    .updateTable('audit')
    .set({ subject_name: null, before: null, after: null })
    .where('subject_kind', '=', 'user')
    .where('subject_id', '=', String(user_id))
    .execute()
  const opened = trx.selectFrom('oversight').select('conversation_id').where('owner_id', '=', user_id)
  await trx
    .updateTable('audit')
    .set({ after: null })
    .where(({ or, and, eb }) =>
      or([
        and([eb('action', '=', 'conversation.read'), eb('subject_id', 'in', opened)]),
        // It says the name of whoever came by it.
        and([eb('action', '=', 'invitation.used'), eb('actor_id', '=', user_id)]),
      ]),
    )
    .execute()
  await trx.deleteFrom('oversight').where('owner_id', '=', user_id).execute()
  await trx.updateTable('oversight').set({ viewer_name: '' }).where('viewer_id', '=', user_id).execute()
}
