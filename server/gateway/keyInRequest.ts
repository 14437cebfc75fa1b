import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#server/foundation/refusal.ts'

const BEARER = /^bearer +(\S+)$/i

/**
 * The key of a request, as one tool or another sends it; null where there is none. Addresses and cookies are not read:
 * the ones end up in logs, the others are sent by pages that their person does not know.
 */
export function keyInRequest(headers: IncomingHttpHeaders): string | null {
  const [secret = null, other = secret] = secretsIn(headers)
  // Of two different ones nobody knows whose request it is.
  if (other !== secret) throw new Refusal('keyInvalid')
  return secret
}

/** Whatever a request has in place of a key. */
export function secretsIn({ authorization, 'x-api-key': named }: IncomingHttpHeaders): string[] {
  const bearer = authorization === undefined || authorization === '' ? [] : [BEARER.exec(authorization)?.[1] ?? '']
  return typeof named === 'string' && named !== '' ? [...bearer, named] : bearer
}
