import { crc32, deflateSync } from 'node:zlib'
import { randomFrom } from './random.ts'

export const PAINTING = { width: 512, height: 512 }
export const CHART = { width: 640, height: 360 }

type Palette = { above: Colour; below: Colour; sun: Colour; far: Colour; near: Colour }

export type Mood = 'dawn' | 'dusk'

const PALETTES: Record<Mood, readonly Palette[]> = {
  dawn: [
    { above: [120, 178, 214], below: [232, 240, 236], sun: [255, 250, 224], far: [142, 178, 160], near: [44, 92, 74] },
    { above: [214, 226, 216], below: [250, 244, 226], sun: [232, 150, 106], far: [170, 190, 160], near: [86, 112, 76] },
  ],
  dusk: [
    { above: [58, 92, 148], below: [247, 196, 150], sun: [255, 236, 200], far: [122, 124, 158], near: [34, 52, 72] },
    { above: [44, 36, 84], below: [214, 108, 118], sun: [255, 206, 140], far: [112, 70, 116], near: [30, 24, 52] },
  ],
}

/** Hills under a sky, another landscape for each seed. */
export function painting(seed: number, mood: Mood): Buffer {
  const { width, height } = PAINTING
  const random = randomFrom(seed)
  const { above, below, sun, far, near } = random.pick(PALETTES[mood])
  const canvas = aCanvas(width, height)
  for (let y = 0; y < height; y += 1)
    canvas.fill(0, y, width, y + 1, mixed(above, below, Math.min(1, y / (height * 0.7))))
  disc(canvas, { x: 90 + random.below(width - 180), y: 90 + random.below(120), radius: 34 + random.below(26) }, sun)
  const HILLS = 5
  for (let hill = 0; hill < HILLS; hill += 1) {
    const waves = [1, 2, 3].map(wave => ({
      length: (60 + random.below(90)) / wave,
      phase: random.below(628) / 100,
      size: (34 - hill * 2) / wave,
    }))
    const base = height * (0.46 + hill * 0.12)
    const colour = mixed(far, near, hill / (HILLS - 1))
    for (let x = 0; x < width; x += 1) {
      const raised = waves.reduce((sum, { length, phase, size }) => sum + Math.sin(x / length + phase) * size, 0)
      canvas.fill(x, Math.round(base - raised), x + 1, height, colour)
    }
  }
  return canvas.png()
}

/** A bar chart with grid lines and numbers, its highest bar marked. */
export function chart(values: readonly number[]): Buffer {
  const { width, height } = CHART
  const [left, right, top, bottom] = [28, width - 20, 40, height - 28]
  const canvas = aCanvas(width, height)
  canvas.fill(0, 0, width, height, [255, 255, 255])
  for (let line = 0; line <= 4; line += 1) {
    const y = Math.round(bottom - ((bottom - top) * line) / 4)
    canvas.fill(left, y, right, y + 1, line === 0 ? [90, 98, 112] : [226, 230, 236])
  }
  const most = Math.max(1, ...values)
  const step = (right - left) / values.length
  for (const [at, value] of values.entries()) {
    const from = Math.round(left + step * at + step * 0.18)
    const to = Math.round(left + step * (at + 1) - step * 0.18)
    const y = Math.round(bottom - ((bottom - top) * value) / most)
    canvas.fill(from, y, to, bottom, value === most ? [214, 122, 60] : [72, 118, 170])
    writeNumber(canvas, value, { x: Math.round((from + to) / 2), y: y - 20 })
  }
  canvas.fill(left - 1, top, left, bottom, [90, 98, 112])
  return canvas.png()
}

/** Rows of the digits from 0 to 9, three points wide. */
const DIGITS = [
  ['111', '010', '111', '111', '101', '111', '111', '111', '111', '111'],
  ['101', '110', '001', '001', '101', '100', '100', '001', '101', '101'],
  ['101', '010', '111', '111', '111', '111', '111', '010', '111', '111'],
  ['101', '010', '100', '001', '001', '001', '101', '010', '101', '001'],
  ['111', '111', '111', '111', '001', '111', '111', '010', '111', '111'],
]
const INK: Colour = [60, 68, 82]

/** Draws the digits centred on `x`, from `y` downward. */
function writeNumber(canvas: ReturnType<typeof aCanvas>, value: number, { x, y }: { x: number; y: number }) {
  const point = 3
  const digits = [...String(value)].map(Number)
  const left = x - Math.round((digits.length * 4 * point - point) / 2)
  for (const [row, shapes] of DIGITS.entries()) {
    for (const [at, digit] of digits.entries()) {
      for (const [column, dot] of [...(shapes[digit] ?? '')].entries()) {
        const from = left + (at * 4 + column) * point
        if (dot === '1') canvas.fill(from, y + row * point, from + point, y + (row + 1) * point, INK)
      }
    }
  }
}

function disc(
  canvas: ReturnType<typeof aCanvas>,
  { x, y, radius }: { x: number; y: number; radius: number },
  colour: Colour,
) {
  for (let at = -radius; at <= radius; at += 1) {
    const half = Math.round(Math.sqrt(radius * radius - at * at))
    canvas.fill(x - half, y + at, x + half, y + at + 1, colour)
  }
}

const mixed = (one: Colour, other: Colour, share: number): Colour => {
  const part = (at: 0 | 1 | 2) => Math.round(one[at] + (other[at] - one[at]) * share)
  return [part(0), part(1), part(2)]
}

type Colour = readonly [red: number, green: number, blue: number]

/** A canvas of coloured points that can be written as a PNG. */
function aCanvas(width: number, height: number) {
  // Each row begins with a byte that names its filter: 0, none.
  const row_bytes = width * 3 + 1
  const points = Buffer.alloc(row_bytes * height)

  return {
    fill(left: number, top: number, right: number, bottom: number, [red, green, blue]: Colour) {
      for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1) {
        for (let x = Math.max(0, left); x < Math.min(width, right); x += 1) {
          const at = y * row_bytes + 1 + x * 3
          points[at] = red
          points[at + 1] = green
          points[at + 2] = blue
        }
      }
    },

    png(): Buffer {
      const header = Buffer.alloc(13)
      header.writeUInt32BE(width, 0)
      header.writeUInt32BE(height, 4)
      header.set([8, 2, 0, 0, 0], 8)
      return Buffer.concat([
        Buffer.from('89504e470d0a1a0a', 'hex'),
        chunk('IHDR', header),
        chunk('IDAT', deflateSync(points, { level: 6 })),
        chunk('IEND', Buffer.alloc(0)),
      ])
    },
  }
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
