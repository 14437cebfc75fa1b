import type { SavedSettings } from '#contract/configuration/credentials.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import type { NamesOf } from '#server/configuration/names.ts'
import { conflictRefusal } from '#server/configuration/conflictRefusal.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { CredentialsService } from './credentials.ts'

type Dependencies = { open: OpenDatabase; configuration: ConfigurationService; credentials: CredentialsService }

/** Stores settings and credentials in one transaction: when one of them is refused, nothing is stored. */
export function savingSettings({ open, configuration, credentials }: Dependencies) {
  return async (
    { credentials: given = {}, expected, ...changes }: SavedSettings,
    by_user_id: number,
    namesOf: NamesOf,
  ): Promise<void> => {
    const { settings, secrets, conflicts } = await open.transaction(async trx => {
      const settings = await configuration.prepare(trx, changes, expected)
      const secrets = await credentials.prepare(trx, given, {
        expected: expected?.credentials ?? {},
        within: ['credentials'],
      })
      const conflicts = [...settings.conflicts, ...secrets.conflicts]
      if (conflicts.length === 0) {
        await configuration.write(trx, settings, by_user_id)
        await credentials.write(trx, secrets, by_user_id, settings.after)
      }
      return { settings, secrets, conflicts }
    })
    await configuration.settle(settings)
    await credentials.settle(secrets)
    if (conflicts.length > 0) throw await conflictRefusal(conflicts, namesOf)
  }
}
