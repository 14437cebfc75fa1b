import { randomBytes, randomUUIDv7 } from 'node:crypto'

/** A UUID, version 7: it begins with the time, so that new rows stand together in every index, and has 74 bits that nobody can guess. */
export const newId = (): string => randomUUIDv7()

/** Letters, digits, `-` and `_` that nobody can guess: 32 bytes are 43 of them. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
