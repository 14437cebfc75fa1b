import { createHash, type Hash } from 'node:crypto'
import { newId } from '#server/foundation/ids.ts'
import { imageIn, isRaster, pixelsIn } from '#server/foundation/pictures.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type Disk, storagePath } from './disk.ts'
import { type Kind, requireKind } from './kinds.ts'
import { areWhole, BrokenPicture } from './pictures/pieces.ts'
import { strippedPicture } from './pictures/stripped.ts'

/** Bytes on the disk, checked and stripped. */
export type WrittenFile = Kind & { storage_path: string; size: number; content_hash: string }

const MAX_MEGAPIXELS = 50

/** Writes what arrives, without metadata. Whoever calls removes it where it is not kept. */
export async function writeFile(
  disk: Disk,
  uploader_id: number,
  name: string,
  content: AsyncIterable<Buffer>,
  max_bytes: number,
): Promise<WrittenFile> {
  const raw = storagePath(uploader_id, newId())
  const hash = createHash('sha256')
  const { size, head } = await disk.write(raw, hashed(atMost(content, max_bytes), hash))
  try {
    const kind = requireKind(name, head)
    if (!isRaster(kind.content_type)) return { ...kind, storage_path: raw, size, content_hash: hash.digest('hex') }
    requireFewPixels(head)
    const pieces = await disk.reading(raw, file => strippedPicture(kind.content_type, file))
    if (areWhole(pieces, size)) return { ...kind, storage_path: raw, size, content_hash: hash.digest('hex') }
    const stripped = storagePath(uploader_id, newId())
    const again = createHash('sha256')
    const written = await disk.write(stripped, hashed(disk.piecesOf(raw, pieces), again))
    await disk.remove(raw)
    // Metadata may have stood before its size.
    const sized = kind.width === null ? (imageIn(written.head) ?? kind) : kind
    try {
      requireFewPixels(written.head)
    } catch (cause) {
      await disk.remove(stripped)
      throw cause
    }
    return { ...sized, storage_path: stripped, size: written.size, content_hash: again.digest('hex') }
  } catch (cause) {
    await disk.remove(raw)
    throw cause instanceof BrokenPicture ? new Refusal('fileKindDiffers', { name }, { cause }) : cause
  }
}

function requireFewPixels(head: Buffer): void {
  if (pixelsIn(head) > MAX_MEGAPIXELS * 1_000_000) throw new Refusal('pictureTooLarge', { megapixels: MAX_MEGAPIXELS })
}

/** Refuses what is longer, and what is nothing. */
export async function* atMost(content: AsyncIterable<Buffer>, max_bytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > max_bytes) throw new Refusal('fileTooLarge', { max_bytes })
    yield piece
  }
  if (size === 0) throw new Refusal('fileEmpty')
}

/** Adds what passes to a hash. */
async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}
