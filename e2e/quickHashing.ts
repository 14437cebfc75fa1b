/**
 * Loaded into the servers of journeys before their program: a password is hashed with the least that argon2 takes, so
 * that people are made and sign in without the tenth of a second that each hash is to cost. What a hash costs is
 * checked beside server/users/passwords.ts.
 */
import crypto, { type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Memory in KiB. */
const LEAST = { memory: 8, passes: 1 }

const { argon2 } = crypto
Object.assign(crypto, {
  argon2: (algorithm: 'argon2id', parameters: Argon2Parameters, done: Parameters<typeof argon2>[2]) =>
    argon2(algorithm, { ...parameters, ...LEAST }, done),
})
syncBuiltinESMExports()
