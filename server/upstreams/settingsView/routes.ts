import { readCredentials, saveSettings, updateCredentials } from '#contract/configuration/credentials.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import type { NamesOf } from '#server/configuration/settings.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { CredentialsService } from './credentials.ts'
import { savingSettings } from './settings.ts'

type Services = { open: OpenDatabase; configuration: ConfigurationService; credentials: CredentialsService }

export function credentialRoutes<U extends SignedIn>(http: Http<U>, services: Services, namesOf: NamesOf): void {
  const { configuration, credentials } = services
  const save = savingSettings(services)
  const read = async () => credentials.read(await namesOf(credentials.changedBy()))

  http.answer(readCredentials, read)

  http.answer(updateCredentials, async ({ body, user }) => {
    await credentials.store(body, user.id)
    return read()
  })

  http.answer(saveSettings, async ({ body, user }) => {
    await save(body, user.id, namesOf)
    const names = await namesOf(configuration.changedBy())
    return { configuration: configuration.read(names), credentials: await read() }
  })
}
