import { readConfiguration, updateConfiguration } from '#contract/configuration.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { ConfigurationService } from './configuration.ts'

export function configurationRoutes<U extends SignedIn>(http: Http<U>, configuration: ConfigurationService): void {
  http.answer(readConfiguration, () => configuration.read())

  http.answer(updateConfiguration, async ({ body, user }) => {
    await configuration.store(body, user.id)
    return configuration.read()
  })
}
