import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'

/**
 * A UUID, version 7: it begins with the time, so that new rows stand together in every index, and has 74 bits that
 * nobody can guess.
 */
export const newId = (): string => randomUUIDv7()

/** Letters, digits, `-` and `_` that nobody can guess: 32 bytes are 43 of them. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/**
 * A UUID, version 8, that follows from another id: whoever knows the one can find the other, and nothing has to store
 * it.
 */
export function idFrom(id: string, purpose: string): string {
  const hex = createHash('sha256').update(`${purpose} ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
