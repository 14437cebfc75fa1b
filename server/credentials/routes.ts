import { readCredentials, updateCredentials } from '#contract/credentials.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { CredentialsService } from './credentials.ts'

export function credentialRoutes<U extends SignedIn>(http: Http<U>, credentials: CredentialsService): void {
  http.answer(readCredentials, () => credentials.read())

  http.answer(updateCredentials, async ({ body }) => {
    await credentials.store(body)
    return credentials.read()
  })
}
