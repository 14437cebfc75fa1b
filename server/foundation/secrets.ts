import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationMistake } from './configurationMistake.ts'
import { makeFolder } from './makeFolder.ts'
import { weaknessOf } from './weakKey.ts'

/** Encrypts secrets for the database. The key is not in the database. */
export type SecretBox = {
  /** The context says whose secret it is; what was sealed for one cannot be opened as another's. */
  seal(text: string, context: string): string
  /** Throws when it was sealed with another key or for another context, or was changed. */
  open(sealed: string, context: string): string
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key is COMMONS_SECRET_KEY, the same for all processes on one database, or a file in the data folder made at the first start. */
export function openSecretBox(data_dir: string, env: NodeJS.ProcessEnv): SecretBox {
  const key = keyOfEnvironment(env) ?? keyOfFile(data_dir)
  const keyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8)
  return {
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
    throw new ConfigurationMistake('COMMONS_SECRET_KEY and COMMONS_SECRET_KEY_FILE: only one of them may be set')
  if (!given && !file) return null
  // A file that is empty is a mistake: another key in its place could open nothing of what is stored.
  const text = (file ? readKeyFile(file) : (given ?? '')).trim()
  const name = file ? 'COMMONS_SECRET_KEY_FILE' : 'COMMONS_SECRET_KEY'
  const weakness = weaknessOf(text)
  if (weakness !== null)
    throw new ConfigurationMistake(`${name}: ${weakness}. Make a key with: openssl rand -base64 32`)
  return Buffer.from(hkdfSync('sha256', text, '', 'chat-commons secret box', KEY_BYTES))
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigurationMistake(`COMMONS_SECRET_KEY_FILE: cannot read ${path}`)
  }
}

function keyOfFile(data_dir: string): Buffer {
  const path = join(data_dir, 'secret.key')
  try {
    makeFolder(data_dir)
    writeOnce(path, randomBytes(KEY_BYTES).toString('base64url'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationMistake(`the data folder ${data_dir} (data.data_dir) cannot be used: ${reason}`)
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  if (key.length !== KEY_BYTES)
    throw new ConfigurationMistake(
      `${path}: not a key of ${KEY_BYTES} bytes; stored secrets cannot be opened without it`,
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
