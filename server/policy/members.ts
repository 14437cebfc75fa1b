import type { Database } from '#server/foundation/database/open.ts'

/**
 * Subquery: counts the changes of who may ask and how much of a shared account is theirs, so that whoever has that in
 * memory knows whether it is the latest.
 */
export const membersVersion = (database: Database) => database.selectFrom('members_version').select('version')

/** Last in its transaction: until that ends, nobody else changes who may ask. */
export const membersChanged = async (trx: Database): Promise<void> => {
  await trx
    .updateTable('members_version')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .execute()
}
