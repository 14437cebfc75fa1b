import { randomBytes, randomUUID } from 'node:crypto'

/** A UUID, version 4. */
export const newId = (): string => randomUUID()

/** Letters, digits, `-` and `_` that nobody can guess: 32 bytes are 43 of them. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
