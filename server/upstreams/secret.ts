import type { Source } from '#contract/models.ts'
import type { CredentialName } from '#contract/settings.ts'
import { accountOfToken, type TokenAccount } from '#contract/webToken.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { openStoredKey, type SecretBox, type StoredKey } from '#server/foundation/secrets.ts'
import { fieldOf, parsed } from '#server/providers/looseJson.ts'
import { type UpstreamRow, upstreamStore } from './store.ts'

/** What the specification calls the secret of the account of a source. */
export const CREDENTIAL: Record<Source, CredentialName> = {
  openai_web: 'openai_web_access_token',
  openai_api: 'openai_api_key',
}

export const SOURCE_OF_CREDENTIAL: Record<CredentialName, Source> = {
  openai_web_access_token: 'openai_web',
  openai_api_key: 'openai_api',
}

type Owner = Pick<UpstreamRow, 'id' | 'source' | 'secret_form'>

/**
 * The context that a secret is sealed with, so that it can be opened for this upstream and the origin of its address
 * only.
 */
const contextOf = ({ id, source, secret_form }: Owner, origin: string): string =>
  secret_form === 'credential'
    ? `stored_credentials/${CREDENTIAL[source as Source]}/${origin}` // only the two sources are ever stored
    : `upstreams/${id}/sealed_secret/${origin}`

/** A secret as it is stored: sealed for its upstream, and for the origin that it was entered for. */
export const sealedColumns = (secretBox: SecretBox, row: Owner, origin: string, secret: string) => ({
  sealed_secret: secretBox.seal(secret, contextOf({ ...row, secret_form: null }, origin)),
  secret_origin: origin,
  secret_form: null,
  token_account: tokenAccount(row, secret),
})

const tokenAccount = ({ source }: Owner, secret: string | null): TokenAccount | null =>
  source === 'openai_web' ? accountOfToken(secret) : null

type Removed = Owner & Pick<UpstreamRow, 'sealed_secret' | 'secret_origin' | 'token_account'>

/** Without the secret. Whose token it was stays known: another account's is noticed when it is entered. */
export const withoutSecret = (secretBox: SecretBox, row: Removed) => ({
  sealed_secret: null,
  secret_origin: null,
  secret_form: null,
  secret_by: null,
  secret_time: null,
  token_account: tokenAccount(row, openSecret(secretBox, row, row.secret_origin ?? '').key) ?? row.token_account,
})

/** Unreadable where it was sealed with another key, or for another address. */
export const openSecret = (
  secretBox: SecretBox,
  row: Owner & Pick<UpstreamRow, 'sealed_secret'>,
  origin: string,
): StoredKey => openStoredKey(secretBox, row.sealed_secret, contextOf(row, origin))

/**
 * Seals anew what is still sealed as a stored credential, as all of the settings were before schema 29. Each by itself,
 * so that a start that is cut short leaves the others to the next one; until then they are opened as they are. So does
 * one that cannot be opened: the right key may come back.
 */
export async function sealCredentialsAnew(open: OpenDatabase, secretBox: SecretBox): Promise<void> {
  for (const { id } of await upstreamStore(open.database).listSealedAsCredentials())
    await open.transaction(async trx => {
      const row = await upstreamStore(trx).findForUpdate(id, open.engine)
      if (row?.secret_form !== 'credential') return
      const origin = row.secret_origin ?? ''
      const { key } = openSecret(secretBox, row, origin)
      if (key !== null) await upstreamStore(trx).change(id, sealedColumns(secretBox, row, origin, key))
    })
}

/** Characters of a token that is looked into. */
const MAX_TOKEN_LENGTH = 16_384
/** Seconds: the end of the year 9999. */
const LAST = 253_402_300_799
/** Seconds of a warning before. */
const SOON = 2 * 86_400

/**
 * When an access token expires, in epoch milliseconds, as it says itself: of a JSON web token (RFC 7519) the `exp`.
 * Null for one that does not say. Nothing is verified: whoever gave it to us is asked with it.
 */
export function expiryOf(token: string | null): number | null {
  if (token === null || token.length > MAX_TOKEN_LENGTH) return null
  const [, payload, ...rest] = token.trim().split('.')
  if (payload === undefined || rest.length !== 1 || !/^[\w-]+=*$/.test(payload)) return null
  const seconds = fieldOf(parsed(Buffer.from(payload, 'base64url').toString()), 'exp')
  return typeof seconds === 'number' && seconds > 0 && seconds <= LAST ? Math.floor(seconds) * 1000 : null
}

type Expiry = 'expired' | 'soon' | 'later'

/** Whether a token is over, or will be in two days. */
export function expiryState(expires: number, now: number): Expiry {
  if (expires <= now) return 'expired'
  return expires - now <= SOON * 1000 ? 'soon' : 'later'
}
