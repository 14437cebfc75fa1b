import { Unreadable } from '../unreadable.ts'
import { streamsOf } from './compoundFile.ts'
import { attributeOf, tokensOf } from './markup.ts'

/** Office repeats the digest of a password a hundred thousand times. */
const MAX_SPINS = 1_000_000
const SEGMENT = 4_096
const BLOCK = 16
/** What each key is for ([MS-OFFCRYPTO], 2.3.4.13). */
const FOR_INPUT = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79]
const FOR_VALUE = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e]
const FOR_KEY = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6]

type Bytes = Uint8Array<ArrayBuffer>

/**
 * What is behind the password of a Word, Excel or PowerPoint file ([MS-OFFCRYPTO], agile encryption, which Office has
 * used since 2010). Older ways, and a portal without https, which lacks `crypto.subtle`, are refused.
 */
export async function withoutPassword(file: Blob, password: string | null, onStep: () => void): Promise<Blob> {
  const streams = streamsOf(new Uint8Array(await file.arrayBuffer()))
  const [info, content] = [streams.get('EncryptionInfo')?.(), streams.get('EncryptedPackage')?.()]
  if (info === undefined || content === undefined) throw new Unreadable('oldOffice')
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle
  const settings = settingsOf(info)
  if (subtle === undefined || settings === null) throw new Unreadable('encrypted')
  if (password === null) throw new Unreadable('needsPassword')
  const spun = await spunOf(password, settings, onStep)
  const opened = async (purpose: readonly number[], encrypted: Bytes) =>
    decrypted(await keyFor(spun, purpose, settings), settings.salt, encrypted)
  const input = await opened(FOR_INPUT, settings.verifierInput)
  const value = await opened(FOR_VALUE, settings.verifierValue)
  const digest = await digested(settings.hash, input)
  if (!digest.every((byte, at) => byte === value[at])) throw new Unreadable('wrongPassword')
  const key = (await opened(FOR_KEY, settings.keyValue)).subarray(0, settings.keyBits / 8)
  return packageOf(content, key, settings, onStep)
}

type Settings = {
  hash: string
  keyBits: number
  salt: Bytes
  spins: number
  verifierInput: Bytes
  verifierValue: Bytes
  keyValue: Bytes
  dataSalt: Bytes
  dataHash: string
}

const HASHES: Readonly<Record<string, string>> = {
  SHA1: 'SHA-1',
  SHA256: 'SHA-256',
  SHA384: 'SHA-384',
  SHA512: 'SHA-512',
}

/** Null for another way to encrypt than this. */
function settingsOf(info: Bytes): Settings | null {
  const view = new DataView(info.buffer, info.byteOffset, info.byteLength)
  if (info.length < 8 || view.getUint16(0, true) !== 4 || view.getUint16(2, true) !== 4) return null
  const of: Record<string, (name: string) => string> = {}
  for (const token of tokensOf([new TextDecoder().decode(info.subarray(8))]))
    if (token.kind === 'open') of[token.name] = name => attributeOf(token, name) ?? ''
  const [data, key] = [of['keyData'], of['encryptedKey']]
  const hash = HASHES[key?.('hashAlgorithm') ?? '']
  const dataHash = HASHES[data?.('hashAlgorithm') ?? '']
  if (data === undefined || key === undefined || hash === undefined || dataHash === undefined) return null
  if (key('cipherAlgorithm') !== 'AES' || key('cipherChaining') !== 'ChainingModeCBC') return null
  const spins = Number(key('spinCount'))
  if (!(spins >= 0 && spins <= MAX_SPINS)) return null
  return {
    hash,
    keyBits: Number(key('keyBits')),
    salt: base64(key('saltValue')),
    spins,
    verifierInput: base64(key('encryptedVerifierHashInput')),
    verifierValue: base64(key('encryptedVerifierHashValue')),
    keyValue: base64(key('encryptedKeyValue')),
    dataSalt: base64(data('saltValue')),
    dataHash,
  }
}

const base64 = (text: string): Bytes => Uint8Array.from(atob(text), character => character.charCodeAt(0))

async function digested(hash: string, ...parts: readonly Bytes[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, joined(...parts)))
}

function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function littleEndian(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

async function spunOf(password: string, { hash, salt, spins }: Settings, onStep: () => void): Promise<Bytes> {
  const wide = new Uint8Array(Uint16Array.from(password.split(''), character => character.charCodeAt(0)).buffer)
  let spun = await digested(hash, salt, wide)
  for (let spin = 0; spin < spins; spin++) {
    spun = await digested(hash, littleEndian(spin), spun)
    if (spin % 1_000 === 0) onStep()
  }
  return spun
}

async function keyFor(spun: Bytes, purpose: readonly number[], { hash, keyBits }: Settings): Promise<Bytes> {
  return sized(await digested(hash, spun, Uint8Array.from(purpose)), keyBits / 8)
}

/** Cut, or filled up with the byte that the specification names. */
function sized(bytes: Bytes, length: number): Bytes {
  const whole = new Uint8Array(length).fill(0x36)
  whole.set(bytes.subarray(0, length))
  return whole
}

/** AES-CBC without padding. The browser knows it only with some, so that a block of padding is put behind. */
async function decrypted(raw: Bytes, vector: Bytes, encrypted: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['encrypt', 'decrypt'])
  const last = encrypted.slice(-BLOCK)
  const padding = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv: last }, key, new Uint8Array()))
  const iv = sized(vector, BLOCK)
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, joined(encrypted, padding)))
}

async function packageOf(
  content: Bytes,
  key: Bytes,
  { dataSalt, dataHash }: Settings,
  onStep: () => void,
): Promise<Blob> {
  const size = new DataView(content.buffer, content.byteOffset).getUint32(0, true)
  const parts: Bytes[] = []
  for (let at = 8, index = 0; at < content.length; at += SEGMENT, index++) {
    const segment = content.subarray(at, at + SEGMENT)
    const whole = segment.subarray(0, segment.length - (segment.length % BLOCK))
    const vector = await digested(dataHash, dataSalt, littleEndian(index))
    if (whole.length > 0) parts.push(await decrypted(key, vector, whole))
    if (index % 100 === 0) onStep()
  }
  return new Blob(parts).slice(0, size)
}
