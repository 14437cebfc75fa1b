import { Inflate } from 'fflate'
import { BOUNDS } from '../reading.ts'
import { Unreadable } from '../unreadable.ts'
import { decoderOf } from './encodings.ts'

/** A zip file whose entries are unpacked one by one, when somebody asks for them. */
export type Archive = {
  names: readonly string[]
  has(name: string): boolean
  /** The text of an entry, in pieces; empty when there is no such entry. */
  text(name: string): Promise<Iterable<string>>
  /** The bytes of an entry; null where there is none, or it has more than so many. */
  content(name: string, most: number): Promise<Uint8Array | null>
}

type Entry = { name: string; method: number; isEncrypted: boolean; packed: number; at: number }

/** The end of a zip: a signature, 18 bytes and a comment. */
const END = 0x06054b50
const MIN_END = 22
const MAX_END = MIN_END + 65_535
const ENTRY = 0x02014b50
const ENTRY_SIZE = 46
const LOCAL_SIZE = 30
const NOT_HERE = 0xffffffff
const STORED = 0
const DEFLATED = 8
/** Bytes that are unpacked at once. Deflate makes a thousand of one, at most. */
const STEP = 8_192

/** Reads the list of entries. How much is unpacked of all of them together is bounded. */
export async function openArchive(file: Blob): Promise<Archive> {
  const entries = new Map((await entriesOf(file)).map(entry => [entry.name, entry]))
  const unpacked = { bytes: 0 }
  return {
    names: [...entries.keys()],
    has: name => entries.has(name),
    async text(name) {
      const entry = entries.get(name)
      return entry === undefined ? [] : decoded(inflated(await packedBytes(file, entry), entry, unpacked))
    },
    async content(name, most) {
      const entry = entries.get(name)
      if (entry === undefined || entry.packed > most) return null
      const own = { bytes: 0 }
      const chunks: Uint8Array<ArrayBuffer>[] = []
      for (const chunk of inflated(await packedBytes(file, entry), entry, own)) {
        if (own.bytes > most) return null
        chunks.push(new Uint8Array(chunk))
      }
      return new Uint8Array(await new Blob(chunks).arrayBuffer())
    },
  }
}

async function viewOf(file: Blob, from: number, to?: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer())
}

async function entriesOf(file: Blob): Promise<Entry[]> {
  const tail = await viewOf(file, Math.max(0, file.size - MAX_END))
  let end = tail.byteLength - MIN_END
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1
  // Without its list the download broke off.
  if (end < 0) throw new Unreadable('broken')
  const at = tail.getUint32(end + 16, true)
  const list = await viewOf(file, at, at + tail.getUint32(end + 12, true))
  const entries: Entry[] = []
  for (let next = 0; next + ENTRY_SIZE <= list.byteLength && list.getUint32(next, true) === ENTRY;) {
    if (entries.length >= BOUNDS.entries) throw new Unreadable('unpacksTooLarge', { most: BOUNDS.entries })
    const lengths = [28, 30, 32].map(offset => list.getUint16(next + offset, true))
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths
    const name = new Uint8Array(list.buffer, next + ENTRY_SIZE).subarray(0, nameLength)
    entries.push({
      name: new TextDecoder().decode(name),
      method: list.getUint16(next + 10, true),
      isEncrypted: (list.getUint16(next + 8, true) & 1) === 1,
      packed: list.getUint32(next + 20, true),
      at: list.getUint32(next + 42, true),
    })
    next += ENTRY_SIZE + nameLength + extraLength + commentLength
  }
  return entries
}

async function packedBytes(file: Blob, { at, packed, isEncrypted }: Entry): Promise<Uint8Array> {
  if (isEncrypted) throw new Unreadable('encrypted')
  // Sizes of more than four gigabytes stand in another field: nothing of ours is as large.
  if (packed === NOT_HERE || at === NOT_HERE) throw new Unreadable('broken')
  const local = await viewOf(file, at, at + LOCAL_SIZE)
  if (local.byteLength < LOCAL_SIZE) throw new Unreadable('broken')
  const from = at + LOCAL_SIZE + local.getUint16(26, true) + local.getUint16(28, true)
  return new Uint8Array(await file.slice(from, from + packed).arrayBuffer())
}

function* inflated(packed: Uint8Array, { method }: Entry, unpacked: { bytes: number }): Generator<Uint8Array> {
  if (method !== STORED && method !== DEFLATED) throw new Unreadable('broken')
  let ready: Uint8Array[] = []
  const inflate = new Inflate(chunk => void ready.push(chunk))
  for (let at = 0; at < packed.length; at += STEP) {
    const step = packed.subarray(at, at + STEP)
    if (method === STORED) ready.push(step)
    else inflate.push(step, at + STEP >= packed.length)
    for (const chunk of ready) {
      unpacked.bytes += chunk.length
      if (unpacked.bytes > BOUNDS.unpacked) throw new Unreadable('unpacksTooLarge', { most: BOUNDS.unpacked })
      yield chunk
    }
    ready = []
  }
}

function* decoded(chunks: Iterable<Uint8Array>): Generator<string> {
  let decoder: TextDecoder | undefined
  for (const chunk of chunks) {
    decoder ??= decoderOf(chunk)
    yield decoder.decode(chunk, { stream: true })
  }
  if (decoder !== undefined) yield decoder.decode()
}
