import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_ENDING, KEY_PREFIX } from '#contract/keys.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 190 bits, which nobody guesses. */
const RANDOM_LENGTH = 32
/** Digits that hold any CRC-32. */
const CHECKSUM_LENGTH = 6
const FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** `cmn_`, 32 digits that nobody can guess, and a checksum of both: a mistyped key is told without a look-up. */
export function newSecret(): string {
  const start = KEY_PREFIX + randomDigits(RANDOM_LENGTH)
  return start + checksumOf(start)
}

/** Whether a text may be a key: its prefix, its length and its checksum are right. */
export function isWellFormed(secret: string): boolean {
  if (!FORM.test(secret)) return false
  return secret.endsWith(checksumOf(secret.slice(0, -CHECKSUM_LENGTH)))
}

/** Only the hash is stored: whoever reads the database can ask with no key. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** What stays visible of it. */
export const endingOf = (secret: string): string => secret.slice(-KEY_ENDING)

/** Characters by which a cut or mistyped key is known as that of its owner: 47 bits that nobody else has. */
const BEGINNING_LENGTH = KEY_PREFIX.length + 8

/** Of its beginning, the hash. */
export const beginningOfSecret = (secret: string): string => hashOf(secret.slice(0, BEGINNING_LENGTH))

/** Characters that a secret lacks; negative for those that it has too many. */
export const missingOf = (secret: string): number => KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH - secret.length

function checksumOf(start: string): string {
  let rest = crc32(start)
  let digits = ''
  for (let at = 0; at < CHECKSUM_LENGTH; at += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}

/** Bytes that would make some digits likelier than others are drawn again. */
const FAIR_BYTES = 256 - (256 % DIGITS.length)

function randomDigits(length: number): string {
  let digits = ''
  while (digits.length < length)
    for (const byte of randomBytes(length - digits.length))
      if (byte < FAIR_BYTES) digits += DIGITS.charAt(byte % DIGITS.length)
  return digits
}
