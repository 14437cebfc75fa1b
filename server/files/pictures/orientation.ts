/** Numbers of Exif, each in two bytes. */
const [ORIENTATION, SHORT] = [0x0112, 3]
/** How a picture is stored that is stored upright. */
const UPRIGHT = 1
/** Where the TIFF structure begins in a segment: behind its marker, its length and its name. */
const TIFF = 10

/** How the camera was held, from the Exif segment of a JPEG: 1 to 8, and 1 where it says nothing. */
export function orientationIn(segment: Buffer): number {
  if (segment.toString('latin1', 4, TIFF) !== 'Exif\0\0') return UPRIGHT
  const tiff = segment.subarray(TIFF)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    for (let entry = 0; entry < short(first); entry++) {
      const at = first + 2 + entry * 12
      if (short(at) !== ORIENTATION) continue
      const value = short(at + 8)
      return value >= 1 && value <= 8 ? value : UPRIGHT
    }
    return UPRIGHT
  } catch (error) {
    if (error instanceof RangeError) return UPRIGHT // it says more than it has
    throw error
  }
}

/** An Exif segment that says this and nothing else; null for what is upright without it. */
export function orientationSegment(orientation: number): Buffer | null {
  if (orientation === UPRIGHT) return null
  const entry = Buffer.alloc(12)
  entry.writeUInt16BE(ORIENTATION, 0)
  entry.writeUInt16BE(SHORT, 2)
  entry.writeUInt32BE(1, 4)
  entry.writeUInt16BE(orientation, 8)
  const entries = Buffer.from([0, 1])
  const content = Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'), entries, entry, Buffer.alloc(4)])
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content])
}
