import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** A canvas of coloured points that can be written as a PNG. */
export function aCanvas(width: number, height: number) {
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
