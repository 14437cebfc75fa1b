import { createCipheriv, createHash } from 'node:crypto'

/** A compound file with these streams. */
export function aCompoundFile(streams: Record<string, Uint8Array>): Blob {
  const sector = 512
  const end = 0xfffffffe
  const padded = (bytes: Uint8Array, to: number) => {
    const whole = Buffer.alloc(Math.ceil(bytes.length / to) * to)
    whole.set(bytes)
    return whole
  }
  const entries = Object.entries(streams)
  const small = entries
    .filter(([, { length }]) => length < 4_096)
    .map(([name, bytes]) => ({ name, bytes, parts: padded(bytes, 64) }))
  const large = entries.filter(([, { length }]) => length >= 4_096)
  const directory = Buffer.alloc(Math.ceil((entries.length + 1) / 4) * sector)
  const content: Buffer[] = []
  const table: number[] = []
  const add = (bytes: Buffer): number => {
    const first = table.length
    const count = bytes.length / sector
    for (let at = 0; at < count; at++) table.push(at === count - 1 ? end : first + at + 1)
    content.push(bytes)
    return first
  }
  const describe = (at: number, name: string, kind: number, [first, length]: [number, number]) => {
    directory.write(name, at * 128, 'utf16le')
    directory.writeUInt16LE((name.length + 1) * 2, at * 128 + 64)
    directory.writeUInt8(kind, at * 128 + 66)
    directory.writeUInt32LE(first, at * 128 + 116)
    directory.writeUInt32LE(length, at * 128 + 120)
  }
  const mini = Buffer.concat(small.map(({ parts }) => parts))
  const miniTable: number[] = []
  const smallFirst = small.map(({ parts }) => {
    const first = miniTable.length
    for (let at = 0; at < parts.length / 64; at++) miniTable.push(at === parts.length / 64 - 1 ? end : first + at + 1)
    return first
  })
  describe(0, 'Root Entry', 5, [mini.length === 0 ? end : add(padded(mini, sector)), mini.length])
  for (const [at, { name, bytes }] of small.entries()) describe(at + 1, name, 2, [smallFirst[at] ?? 0, bytes.length])
  for (const [at, [name, bytes]] of large.entries())
    describe(at + 1 + small.length, name, 2, [add(padded(bytes, sector)), bytes.length])
  const directoryAt = add(directory)
  const miniAt = add(padded(Buffer.from(Uint32Array.from(miniTable).buffer), sector))
  const tables = Math.ceil((table.length + 2) / 128)
  const tablesAt = table.length
  for (let at = 0; at < tables; at++) table.push(0xfffffffd)
  const header = Buffer.alloc(sector, 0xff)
  header.fill(0, 8, 76)
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(directoryAt, 48)
  header.writeUInt32LE(miniAt, 60)
  header.writeUInt32LE(end, 68)
  for (let at = 0; at < tables; at++) header.writeUInt32LE(tablesAt + at, 76 + at * 4)
  return new Blob(
    [header, ...content, padded(Buffer.from(Uint32Array.from(table).buffer), sector)].map(each =>
      Uint8Array.from(each),
    ),
  )
}

const hash = (...parts: readonly Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest()

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function encrypted(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, vector.subarray(0, 16)).setAutoPadding(false)
  const whole = Buffer.alloc(Math.ceil(bytes.length / 16) * 16)
  whole.set(bytes)
  return Buffer.concat([cipher.update(whole), cipher.final()])
}

/** An Office file behind a password, as Office itself encrypts it. */
export async function behindPassword(file: Blob, password: string, spins = 1_000): Promise<Blob> {
  const [salt, dataSalt, key, input] = [1, 2, 3, 4].map(fill => Buffer.alloc(fill === 3 ? 32 : 16, fill)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ] // four of them
  let spun = hash(salt, Buffer.from(password, 'utf16le'))
  for (let spin = 0; spin < spins; spin++) spun = hash(littleEndian(spin), spun)
  const sealed = (purpose: string, bytes: Uint8Array) =>
    encrypted(hash(spun, Buffer.from(purpose, 'hex')).subarray(0, 32), salt, bytes).toString('base64')
  const form =
    'blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"'
  const xml =
    `<encryption><keyData saltSize="16" ${form} saltValue="${dataSalt.toString('base64')}"/><keyEncryptors><keyEncryptor>` +
    `<p:encryptedKey spinCount="${spins}" ${form} saltValue="${salt.toString('base64')}" ` +
    `encryptedVerifierHashInput="${sealed('fea7d2763b4b9e79', input)}" ` +
    `encryptedVerifierHashValue="${sealed('d7aa0f6d3061344e', hash(input))}" ` +
    `encryptedKeyValue="${sealed('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const plain = Buffer.from(await file.arrayBuffer())
  const segments: Buffer[] = [littleEndian(plain.length), littleEndian(0)]
  for (let at = 0; at < plain.length; at += 4_096)
    segments.push(encrypted(key, hash(dataSalt, littleEndian(at / 4_096)), plain.subarray(at, at + 4_096)))
  return aCompoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(xml)]),
    EncryptedPackage: Buffer.concat(segments),
  })
}
