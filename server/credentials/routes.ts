import { readCredentials, updateCredentials } from '#contract/credentials.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { CredentialsService } from './credentials.ts'

type NamesOf = (user_ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

export function credentialRoutes<U extends SignedIn>(
  http: Http<U>,
  credentials: CredentialsService,
  namesOf: NamesOf,
): void {
  const read = async () => credentials.read(await namesOf(credentials.changedBy()))

  http.answer(readCredentials, read)

  http.answer(updateCredentials, async ({ body, user }) => {
    await credentials.store(body, user.id)
    return read()
  })
}
