import { Unreadable } from '../unreadable.ts'

/**
 * The streams of a compound file ([MS-CFB]): the form of the old Office, and of the new one behind a password. By their
 * names, where they are in the root.
 */
export function streamsOf(bytes: Uint8Array<ArrayBuffer>): Map<string, () => Uint8Array<ArrayBuffer>> {
  try {
    return readStreams(bytes)
  } catch (cause) {
    if (cause instanceof RangeError) throw new Unreadable('broken', {}, { cause })
    throw cause
  }
}

const HEADER = 512
const ENTRY = 128
const MINI_SECTOR = 64
/** Streams below this size are in small sectors, which are a stream themselves. */
const MIN_STREAM = 4_096
const ROOT = 5
const STREAM = 2

type Chain = (first: number, limit?: number) => Uint8Array<ArrayBuffer>

function readStreams(bytes: Uint8Array<ArrayBuffer>): Map<string, () => Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = 2 ** view.getUint16(30, true)
  if (size !== 512 && size !== 4_096) throw new Unreadable('broken')
  const sectorAt = (sector: number) => (sector + 1) * size
  const big = chainOf(bytes, size, sectorAt, tableOf(view, size, sectorAt))
  const directory = big(view.getUint32(48, true))
  const entries = new DataView(directory.buffer)
  const small = big(view.getUint32(60, true))
  const streams = new Map<string, () => Uint8Array<ArrayBuffer>>()
  let mini: Chain | null = null
  for (let at = 0; at + ENTRY <= directory.length; at += ENTRY) {
    const kind = entries.getUint8(at + 66)
    const [first, length] = [entries.getUint32(at + 116, true), entries.getUint32(at + 120, true)]
    if (kind === ROOT) mini = chainOf(big(first, length), MINI_SECTOR, sector => sector * MINI_SECTOR, numbersOf(small))
    if (kind !== STREAM) continue
    const name = new TextDecoder('utf-16le').decode(
      directory.subarray(at, at + Math.min(64, Math.max(0, entries.getUint16(at + 64, true) - 2))),
    )
    streams.set(name, () => (length < MIN_STREAM && mini !== null ? mini : big)(first, length))
  }
  return streams
}

function numbersOf(bytes: Uint8Array<ArrayBuffer>): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.getUint32(at * 4, true))
}

/** Which sector follows which. The list of the sectors of this table begins in the header, and may go on in others. */
function tableOf(view: DataView<ArrayBuffer>, size: number, sectorAt: (sector: number) => number): number[] {
  const all = Math.ceil(view.byteLength / size)
  const sectors: number[] = []
  const add = (from: number, count: number) => {
    for (let at = 0; at < count; at++) {
      const sector = view.getUint32(from + at * 4, true)
      if (sector < all) sectors.push(sector)
    }
  }
  add(76, (HEADER - 76) / 4)
  let next = view.getUint32(68, true)
  for (let steps = 0; next < all && steps < all; steps++) {
    add(sectorAt(next), size / 4 - 1)
    next = view.getUint32(sectorAt(next) + size - 4, true)
  }
  return sectors.flatMap(sector =>
    sectorAt(sector) + size > view.byteLength
      ? []
      : numbersOf(new Uint8Array(view.buffer, view.byteOffset + sectorAt(sector), size)),
  )
}

/** Follows a chain of sectors, no longer than the file has any. */
function chainOf(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  sectorAt: (sector: number) => number,
  table: readonly number[],
): Chain {
  return (first, limit = bytes.length) => {
    const parts: Uint8Array<ArrayBuffer>[] = []
    let length = 0
    for (let sector = first; sector < table.length && length < limit; sector = table[sector] ?? Infinity) {
      const part = bytes.subarray(sectorAt(sector), sectorAt(sector) + Math.min(size, limit - length))
      if (part.length === 0 || parts.length > bytes.length / size) break
      parts.push(part)
      length += part.length
    }
    const whole = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }
}
