import { inflateSync } from 'node:zlib'

/** What the model sees of a picture. Null sides: its bytes do not tell them. Colours: those of a plain PNG. */
export type SeenPicture = {
  type: string
  bytes: number
  width: number | null
  height: number | null
  colours: string[]
}

const DATA_URL = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/=]+)$/

/** A picture in a data URL, or a link to one; null for what is none, as the real upstream refuses it. */
export function pictureIn(url: string): SeenPicture | null {
  if (/^https?:/.test(url)) return { type: 'link', bytes: 0, width: null, height: null, colours: [] }
  const [, type, base64] = DATA_URL.exec(url) ?? []
  if (type === undefined || base64 === undefined) return null
  const content = Buffer.from(base64, 'base64')
  const sides = sidesOf(content)
  return sides === null ? null : { type, bytes: content.length, ...sides, colours: coloursOf(content) }
}

/** Null for what is no picture; null sides where they are not read. */
function sidesOf(content: Buffer): { width: number | null; height: number | null } | null {
  if (content.length >= 24 && content.readUInt32BE(0) === 0x89504e47)
    return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
  if (content.length >= 10 && content.toString('latin1', 0, 4) === 'GIF8')
    return { width: content.readUInt16LE(6), height: content.readUInt16LE(8) }
  if (content.length >= 12 && content.toString('latin1', 8, 12) === 'WEBP') return { width: null, height: null }
  if (content.length >= 4 && content[0] === 0xff && content[1] === 0xd8) return sidesOfJpeg(content)
  return null
}

function sidesOfJpeg(content: Buffer): { width: number | null; height: number | null } {
  for (let at = 2; at + 9 <= content.length && content[at] === 0xff;) {
    const marker = content[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) }
    at += 2 + Math.max(2, content.readUInt16BE(at + 2))
  }
  return { width: null, height: null }
}

/** Points of a PNG whose colours are looked at. */
const MAX_POINTS = 4_000_000
const SAMPLES = 2_000

/** The main colours of a PNG of 8 bits without interlacing, the most frequent first. */
function coloursOf(content: Buffer): string[] {
  if (content.length < 33 || content.readUInt32BE(0) !== 0x89504e47) return []
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)]
  const [depth, form, interlaced] = [content[24], content[25], content[28]]
  const channels = form === 2 ? 3 : form === 6 ? 4 : 0
  if (depth !== 8 || channels === 0 || interlaced !== 0 || width * height > MAX_POINTS) return []
  const points = unfiltered(packedOf(content), width * channels, height, channels)
  if (points === null) return []
  const counts = new Map<string, number>()
  const step = Math.max(1, Math.floor((width * height) / SAMPLES))
  for (let point = 0; point < width * height; point += step) {
    const at = point * channels
    const name = nameOf(points[at] ?? 0, points[at + 1] ?? 0, points[at + 2] ?? 0)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .filter(([, count]) => count >= all / 10)
    .slice(0, 3)
    .map(([name]) => name)
}

function packedOf(content: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= content.length;) {
    const size = content.readUInt32BE(at)
    if (content.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(content.subarray(at + 8, at + 8 + size))
    at += size + 12
  }
  return Buffer.concat(parts)
}

/** The rows without the filters of PNG; null where they are broken. */
function unfiltered(packed: Buffer, row_bytes: number, height: number, channels: number): Buffer | null {
  const size = (row_bytes + 1) * height
  let raw: Buffer
  try {
    raw = inflateSync(packed, { maxOutputLength: size + 1 })
  } catch {
    return null
  }
  if (raw.length < size) return null
  const points = Buffer.alloc(row_bytes * height)
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (row_bytes + 1)] ?? 0
    for (let at = 0; at < row_bytes; at += 1) {
      const target = row * row_bytes + at
      const left = at >= channels ? (points[target - channels] ?? 0) : 0
      const above = row > 0 ? (points[target - row_bytes] ?? 0) : 0
      const corner = row > 0 && at >= channels ? (points[target - row_bytes - channels] ?? 0) : 0
      const given = raw[row * (row_bytes + 1) + 1 + at] ?? 0
      points[target] = (given + predicted(filter, left, above, corner)) & 0xff
    }
  }
  return points
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const guess = left + above - corner
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

const NAMED: readonly (readonly [name: string, red: number, green: number, blue: number])[] = [
  ['red', 220, 40, 40],
  ['green', 40, 160, 60],
  ['blue', 40, 80, 210],
  ['yellow', 240, 220, 50],
  ['orange', 240, 140, 40],
  ['purple', 130, 60, 170],
  ['pink', 245, 150, 190],
  ['brown', 120, 75, 40],
  ['cyan', 60, 200, 220],
  ['white', 250, 250, 250],
  ['grey', 128, 128, 128],
  ['black', 10, 10, 10],
]

function nameOf(red: number, green: number, blue: number): string {
  const far = ([, r, g, b]: (typeof NAMED)[number]): number => (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
  return NAMED.toSorted((one, other) => far(one) - far(other))[0]?.[0] ?? 'grey'
}
