const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * An access token that expires then, in epoch milliseconds, as the web service makes them; null: one that does not say.
 */
export function aToken(expires: number | null): string {
  const payload = { iss: 'https://auth.example', ...(expires !== null && { exp: Math.floor(expires / 1000) }) }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(payload)}.c2lnbmF0dXJl`
}
