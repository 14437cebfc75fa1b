import { readConfiguration, updateConfiguration } from '#contract/configuration/configuration.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { ConfigurationService } from './configuration.ts'
import type { NamesOf } from './settings.ts'

export function configurationRoutes<U extends SignedIn>(
  http: Http<U>,
  configuration: ConfigurationService,
  namesOf: NamesOf,
): void {
  const read = async () => configuration.read(await namesOf(configuration.changedBy()))

  http.answer(readConfiguration, read)

  http.answer(updateConfiguration, async ({ body, user }) => {
    await configuration.store(body, user.id, namesOf)
    return read()
  })
}
