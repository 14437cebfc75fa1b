/** A file that is read here and there. Reads beyond its end give less. */
export type FileBytes = { size: number; read(position: number, length: number): Promise<Buffer> }

/** What a file is made of, in its order: ranges of another file, bytes in their place, or so many zeros. */
export type Piece = { start: number; end: number } | { bytes: Buffer } | { zeros: number }

/** A file that is put together as no program does: it ends within a part, or has parts without end. */
export class BrokenPicture extends Error {}

/** Bytes that are read at once. */
const WINDOW = 64 * 1024

/** Reads along a file. `peek` answers at once where the bytes are at hand: files may have millions of parts. */
export function openWindow({ size, read }: FileBytes) {
  let start = 0
  let bytes: Buffer = Buffer.alloc(0)
  const within = (position: number, length: number): Buffer | null =>
    position >= start && position + length <= start + bytes.length
      ? bytes.subarray(position - start, position - start + length)
      : null
  return {
    size,
    peek: within,
    /** Exactly so many bytes. */
    async need(position: number, length: number): Promise<Buffer> {
      const at = within(position, length)
      if (at !== null) return at
      bytes = await read(position, Math.max(WINDOW, length))
      start = position
      const found = within(position, length)
      if (found === null) throw new BrokenPicture()
      return found
    },
    /** What there is from here on, up to a window: two bytes at least, but at the end. */
    async some(position: number): Promise<Buffer> {
      if (position < start || position + 2 > start + bytes.length) {
        bytes = await read(position, WINDOW)
        start = position
      }
      return bytes.subarray(position - start)
    },
  }
}
export type Window = ReturnType<typeof openWindow>

/** Pieces of a file that alternate more often than this are nobody’s picture. */
const MAX_PIECES = 20_000

/** Collects pieces; ranges that follow each other are one. */
export function openPieces() {
  const pieces: Piece[] = []
  const add = (piece: Piece): void => {
    if (pieces.length >= MAX_PIECES) throw new BrokenPicture()
    pieces.push(piece)
  }
  return {
    pieces,
    keep(start: number, end: number): void {
      const last = pieces.at(-1)
      if (last !== undefined && 'end' in last && last.end === start) last.end = end
      else if (end > start) add({ start, end })
    },
    put: (bytes: Buffer): void => add({ bytes }),
  }
}

/** Whether they are the whole file as it is. */
export function areWhole(pieces: readonly Piece[], size: number): boolean {
  const [only, ...others] = pieces
  return only !== undefined && others.length === 0 && 'end' in only && only.start === 0 && only.end === size
}
