import type { Database } from '#server/foundation/database/schema.ts'

export type StoredCredential = {
  credential_name: string
  sealed_value: string
  origin: string | null
  update_time: number
}

export function credentialStore(database: Database) {
  return {
    listAll: () => database.selectFrom('stored_credentials').selectAll().execute(),

    find: (credential_name: string) =>
      database
        .selectFrom('stored_credentials')
        .selectAll()
        .where('credential_name', '=', credential_name)
        .executeTakeFirst(),

    replace: (credential: StoredCredential) =>
      database
        .insertInto('stored_credentials')
        .values(credential)
        .onConflict(conflict =>
          conflict.column('credential_name').doUpdateSet(({ ref }) => ({
            sealed_value: ref('excluded.sealed_value'),
            origin: ref('excluded.origin'),
            update_time: ref('excluded.update_time'),
          })),
        )
        .execute(),

    clear: (credential_name: string) =>
      database.deleteFrom('stored_credentials').where('credential_name', '=', credential_name).execute(),
  }
}
