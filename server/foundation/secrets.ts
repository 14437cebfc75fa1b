import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from './configurationError.ts'
import { makeFolder } from './fileSystem.ts'

/** Encrypts secrets for the database. The key is not in the database. */
export type SecretBox = {
  /** The context says whose secret it is; what was sealed for one cannot be opened as another's. */
  seal(text: string, context: string): string
  /** Throws when it was sealed with another key or for another context, or was changed. */
  open(sealed: string, context: string): string
}

export type Digests = {
  /** The same of the same text; says nothing of it to whoever has not the key. */
  digest(text: string, context: string): string
}

/**
 * A secret as it is used. Unreadable: one was stored and cannot be opened, so that nothing may be asked in its place.
 */
export type StoredKey = { key: string | null; isUnreadable: boolean }

/** Null: none was stored. The key of the secret box may be lost or another one, or what was stored damaged. */
export function openStoredKey(secretBox: SecretBox, sealed: string | null, context: string): StoredKey {
  if (sealed === null) return { key: null, isUnreadable: false }
  try {
    return { key: secretBox.open(sealed, context), isUnreadable: false }
  } catch {
    return { key: null, isUnreadable: true }
  }
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The key is COMMONS_SECRET_KEY, the same for all processes on one database, or a file in the data folder made at the
 * first start.
 */
export function openSecretBox(data_dir: string, env: NodeJS.ProcessEnv): SecretBox & Digests {
  const key = keyOfEnvironment(env) ?? keyOfFile(data_dir)
  const keyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8)
  const digestKey = hkdfSync('sha256', key, '', 'chat-commons digests', KEY_BYTES)
  return {
    digest: (text, context) =>
      createHmac('sha256', new Uint8Array(digestKey)).update(`${context}\0`).update(text).digest('base64url'),
    seal(text, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${keyId}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const [version, sealedWith, encoded = ''] = sealed.split('.')
      if (version !== 'v1' || sealedWith !== keyId) throw new Error('sealed with another key')
      const bytes = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    },
  }
}

function keyOfEnvironment(env: NodeJS.ProcessEnv): Buffer | null {
  const [given, file] = [env['COMMONS_SECRET_KEY'], env['COMMONS_SECRET_KEY_FILE']]
  if (given && file)
    throw new ConfigurationError('COMMONS_SECRET_KEY and COMMONS_SECRET_KEY_FILE: only one of them may be set')
  if (!given && !file) return null
  // A file that is empty is a mistake: another key in its place could open nothing of what is stored.
  const text = (file ? readKeyFile(file) : (given ?? '')).trim()
  const name = file ? 'COMMONS_SECRET_KEY_FILE' : 'COMMONS_SECRET_KEY'
  const weakness = weaknessOf(text)
  if (weakness !== null) throw new ConfigurationError(`${name}: ${weakness}. Make a key with: openssl rand -base64 32`)
  return Buffer.from(hkdfSync('sha256', text, '', 'chat-commons secret box', KEY_BYTES))
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationError(`COMMONS_SECRET_KEY_FILE: cannot read ${path}`)
  }
}

function keyOfFile(data_dir: string): Buffer {
  const path = join(data_dir, 'secret.key')
  try {
    makeFolder(data_dir)
    writeOnce(path, randomBytes(KEY_BYTES).toString('base64url'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError(`the data folder ${data_dir} (data.data_dir) cannot be used: ${reason}`)
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  if (key.length !== KEY_BYTES)
    throw new ConfigurationError(
      `${path}: not a key of ${KEY_BYTES} bytes; stored secrets cannot be opened without it. ` +
        'Put it back from the backup; if it is lost, remove the file and enter the keys again',
    )
  return key
}

/** Whoever starts first makes the file, and it is on the disk before anything is sealed with it. */
function writeOnce(path: string, text: string): void {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    throw error
  }
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Characters of a key given by hand. */
const SHORTEST_KEY = 32
/** Fewer different ones come from a finger that stays on its key. */
const LEAST_VARIETY = 8
/** Characters that must be left of a key when the words of examples are taken out of it. */
const LEAST_OWN = 12

/** Of what stands in examples, manuals and templates in place of a key, longer ones first where one begins another. */
const WORDS = `
  placeholder characters development application changethis changeit changeme production supersecret character generated minimum
  password required something insecure openssl generate session replace example default testing private commons secrets random
  string secret change please sample insert should unsafe secure strong portal phrase least bytes value token enter dummy chars
  admin super never share under using build local empty debug base64 quite test your here with long this that must else file
  chat some rand safe real pass salt hash user todo fixme name make more from very demo prod into like only key not and
  the put set use for new now own app api dev env hex jwt min xxx foo bar baz qux you can abc qwe asd me my to do in is it
  of or at be as an on
`
  .trim()
  .split(/\s+/)
const EXAMPLES = new RegExp(WORDS.join('|'), 'g')
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/**
 * What is wrong with a key that somebody gave, in words; null for one that may be random. Lengths alone say little:
 * most weak keys are long.
 */
export function weaknessOf(key: string): string | null {
  if (key.length < SHORTEST_KEY) return `shorter than ${SHORTEST_KEY} characters`
  const plain = key.toLowerCase()
  if (new Set(plain).size < LEAST_VARIETY || repeats(plain)) return 'the same characters over and over'
  if (shareOfSteps(plain, 1) > 0.6 || shareOfSteps(plain, 2) > 0.6 || isCounted(key))
    return 'characters in a row of the alphabet or the keyboard'
  const own = plain
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(EXAMPLES, '')
    .replaceAll(/(.)\1{2,}|(?:0?123456789|012345678|12345678|1234567|123456|12345|1234|123)0?/gu, '')
  return own.length < LEAST_OWN ? 'a placeholder' : null
}

/** Whether it is one short text, written several times. */
function repeats(text: string): boolean {
  return Array.from({ length: Math.floor(text.length / 2) }, (_, at) => at + 1).some(period =>
    text.startsWith(text.slice(period)),
  )
}

/** Bytes that each are as much more than the one before, as in examples of keys: in base64 nobody sees it. */
function isCounted(key: string): boolean {
  const bytes = Buffer.from(key, 'base64')
  const steps = Array.from(bytes.subarray(1), (byte, at) => (byte - (bytes[at] ?? 0)) & 0xff)
  return steps.filter(step => step === steps[0]).length > steps.length / 2
}

/**
 * Of the pairs at that distance (at 2, `a1b2c3` is a row too), how many are neighbours in the alphabet, among the
 * digits or on a keyboard, in either direction, or alike.
 */
function shareOfSteps(text: string, distance: number): number {
  let steps = 0
  for (let at = distance; at < text.length; at++) {
    const [one, next] = [text[at - distance] ?? '', text[at] ?? '']
    if (one === next || ROWS.some(row => row.includes(one + next) || row.includes(next + one))) steps++
  }
  return steps / (text.length - distance)
}
