import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#server/foundation/refusal.ts'

const BEARER = /^bearer +(\S+)$/i

/**
 * The key of a request, as one tool or another sends it; null where there is none. Addresses and cookies are not read:
 * the ones end up in logs, the others are sent by pages that their person does not know.
 */
export function keyInRequest({ authorization, 'x-api-key': named }: IncomingHttpHeaders): string | null {
  const bearer = authorization === undefined || authorization === '' ? null : (BEARER.exec(authorization)?.[1] ?? '')
  const own = typeof named === 'string' && named !== '' ? named : null
  // Of two different ones nobody knows whose request it is.
  if (bearer !== null && own !== null && bearer !== own) throw new Refusal('keyInvalid')
  return bearer ?? own
}
