import { BrokenPicture, type FileBytes, type Piece } from './pieces.ts'

type Box = { type: string; start: number; content: number; end: number }
type Range = { start: number; end: number }

/** Bytes of the box that says what is where; boxes of one level. */
const MAX_META = 1_048_576
const MAX_BOXES = 1_000
/** Parts of items. */
const MAX_LOCATIONS = 10_000
/** Boxes that are for the users of a file, and not needed to draw it. */
const FOR_USERS = new Set(['uuid', 'udta', 'meco', 'free', 'skip'])

/**
 * An AVIF with zeros in place of EXIF and XMP: everything in it is found by its distance from the beginning, so nothing
 * may move.
 */
export async function strippedAvif(file: FileBytes): Promise<Piece[]> {
  const hidden: Range[] = []
  let end = 0
  for (const box of await boxesIn(file, 0, file.size)) {
    end = box.end
    if (FOR_USERS.has(box.type)) hidden.push({ start: box.content, end: box.end })
    if (box.type === 'meta') hidden.push(...(await metadataIn(file, box)))
    if (box.type === 'moov')
      for (const part of await boxesIn(file, box.content, box.end))
        if (part.type === 'meta' || FOR_USERS.has(part.type)) hidden.push({ start: part.content, end: part.end })
  }
  return withZeros(hidden, end)
}

function withZeros(hidden: readonly Range[], size: number): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end } of hidden.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(at, Math.min(start, size))
    const to = Math.max(from, Math.min(end, size))
    if (from > at) pieces.push({ start: at, end: from })
    if (to > from) pieces.push({ zeros: to - from })
    at = to
  }
  if (size > at) pieces.push({ start: at, end: size })
  return pieces
}

async function boxesIn(file: FileBytes, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let start = from; start + 8 <= to;) {
    const head = await file.read(start, 16)
    if (head.length < 8 || boxes.length >= MAX_BOXES) throw new BrokenPicture()
    const short = head.readUInt32BE(0)
    if (short === 1 && head.length < 16) throw new BrokenPicture()
    const size = short === 0 ? to - start : short === 1 ? Number(head.readBigUInt64BE(8)) : short
    const content = start + (short === 1 ? 16 : 8)
    const end = start + size
    if (!Number.isSafeInteger(end) || end < content || end > to) throw new BrokenPicture()
    boxes.push({ type: head.toString('latin1', 4, 8), start, content, end })
    start = end
  }
  return boxes
}

/** Where the items with EXIF and XMP are: `iinf` says which they are, `iloc` where. */
async function metadataIn(file: FileBytes, meta: Box): Promise<Range[]> {
  const parts = await boxesIn(file, meta.content + 4, meta.end)
  const bytesOf = async (type: string): Promise<{ box: Box; bytes: Buffer } | null> => {
    const box = parts.find(part => part.type === type)
    if (box === undefined) return null
    if (box.end - box.content > MAX_META) throw new BrokenPicture()
    return { box, bytes: await file.read(box.content, box.end - box.content) }
  }
  const [kinds, locations, data] = [
    await bytesOf('iinf'),
    await bytesOf('iloc'),
    parts.find(({ type }) => type === 'idat'),
  ]
  const further = parts.filter(({ type }) => FOR_USERS.has(type)).map(({ content, end }) => ({ start: content, end }))
  if (kinds === null || locations === null) return further
  try {
    const hidden = itemsWithMetadata(kinds.bytes)
    const ranges = locationsIn(locations.bytes).filter(({ item }) => hidden.has(item))
    return [
      ...further,
      ...ranges.map(({ inData, offset, length }) => {
        const start = offset + (inData ? (data?.content ?? 0) : 0)
        return { start, end: length === 0 ? file.size : start + length }
      }),
    ]
  } catch (cause) {
    // Read beyond the end of a box.
    throw new BrokenPicture('', { cause })
  }
}

/** Ids of the items of an `iinf`. */
function itemsWithMetadata(iinf: Buffer): Set<number> {
  const found = new Set<number>()
  const isLong = iinf.readUInt8(0) !== 0
  for (let at = isLong ? 8 : 6; at + 12 <= iinf.length;) {
    const size = iinf.readUInt32BE(at)
    if (size < 12) throw new BrokenPicture()
    const version = iinf.readUInt8(at + 8)
    const id = version >= 3 ? iinf.readUInt32BE(at + 12) : iinf.readUInt16BE(at + 12)
    const typeAt = at + (version >= 3 ? 18 : 16)
    const type = version >= 2 ? iinf.toString('latin1', typeAt, typeAt + 4) : ''
    if (type === 'Exif' || type === 'mime' || type === 'uri ') found.add(id)
    at += size
  }
  return found
}

type ItemLocation = { item: number; inData: boolean; offset: number; length: number }

/** Of each part of an item, from an `iloc`. */
function locationsIn(iloc: Buffer): ItemLocation[] {
  const version = iloc.readUInt8(0)
  const [sizes, more] = [iloc.readUInt8(4), iloc.readUInt8(5)]
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 4, sizes & 15, more >> 4, version > 0 ? more & 15 : 0]
  let at = 6
  const next = (size: number): number => {
    const value = size === 0 ? 0 : size === 8 ? Number(iloc.readBigUInt64BE(at)) : iloc.readUIntBE(at, size)
    at += size
    return value
  }
  const locations: ItemLocation[] = []
  const idSize = version < 2 ? 2 : 4
  for (let left = next(idSize); left > 0; left--) {
    const item = next(idSize)
    const inData = version > 0 && (next(2) & 15) === 1
    next(2)
    const base = next(baseSize)
    for (let extents = next(2); extents > 0; extents--) {
      next(indexSize)
      if (locations.length >= MAX_LOCATIONS) throw new BrokenPicture()
      const offset = base + next(offsetSize)
      locations.push({ item, inData, offset, length: next(lengthSize) })
    }
  }
  return locations
}
