import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissing, makeFolder, syncFolder } from '#server/foundation/fileSystem.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { HEAD_BYTES, imageIn } from '#server/foundation/pictures.ts'
import type { AttachedContent } from '#server/providers/attachedPart.ts'
import { ANY_TYPE } from './contentType.ts'
import type { FileBytes, Piece } from './pictures/pieces.ts'

const FOLDER = 'uploads'
/** The extension of a file that is still being uploaded. */
const INCOMPLETE = '.part'
const STORED = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.dat$/
const UNFINISHED = new RegExp(STORED.source.replace('$', `\\${INCOMPLETE}$`))

/** The path of a file below the data folder; no part of it comes from a client. */
export const storagePath = (uploader_id: number, id: string): string => `${FOLDER}/${uploader_id}/${id}.dat`

export type Disk = ReturnType<typeof uploadsOnDisk>

/** The uploaded files, readable only by this server's user. Paths are those of `storagePath`. */
export function uploadsOnDisk(data_dir: string) {
  const at = (path: string): string => join(data_dir, path)
  const remove = (path: string): Promise<void> => rm(at(path), { force: true })

  return {
    remove,

    /** All of a user, unfinished ones too. What somebody else has put into the folder stays. */
    async removeAllOf(uploader_id: number): Promise<void> {
      const folder = `${FOLDER}/${uploader_id}`
      for (const name of await namesIn(at(folder)))
        if (STORED.test(name) || UNFINISHED.test(name)) await remove(`${folder}/${name}`)
      if ((await namesIn(at(folder))).length === 0) await rm(at(folder), { recursive: true, force: true })
    },

    /** Writes a file as it arrives; returns its size and first bytes. An incomplete file is removed. */
    async write(path: string, content: AsyncIterable<Buffer>): Promise<{ size: number; head: Buffer }> {
      try {
        makeFolder(dirname(at(path)))
        await using file = await open(at(path + INCOMPLETE), 'wx+', 0o600)
        await file.writeFile(content)
        await file.sync()
        const { size } = await file.stat()
        const written = { size, head: await headOf(file) }
        await rename(at(path + INCOMPLETE), at(path))
        await syncFolder(dirname(at(path)))
        return written
      } catch (cause) {
        // A file that could not be written may not exist, or may not be removable.
        await Promise.allSettled([remove(path + INCOMPLETE), remove(path)])
        throw isForbidden(cause) ? new Refusal('diskNotWritable', {}, { cause }) : cause
      }
    },

    /** A file whose bytes are read as they are wanted; null when it is gone. */
    async content(path: string): Promise<AttachedContent | null> {
      const found = await stat(at(path)).catch(nullIfMissing)
      return found === null ? null : { size: found.size, read: memory => inPieces(at(path), found.size, memory) }
    },

    /** Lets `work` read in a file here and there. */
    async reading<T>(path: string, work: (file: FileBytes) => Promise<T>): Promise<T> {
      await using file = await open(at(path))
      const { size } = await file.stat()
      return await work({ size, read: (position, length) => readAt(file, position, length) })
    },

    /** What these pieces of a file are together. */
    async *piecesOf(path: string, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
      await using file = await open(at(path))
      for (const piece of pieces) {
        if ('bytes' in piece) yield piece.bytes
        else {
          const { start, end } = 'zeros' in piece ? { start: 0, end: piece.zeros } : piece
          for (let position = start; position < end; position += READ_BYTES) {
            const length = Math.min(READ_BYTES, end - position)
            yield 'zeros' in piece ? Buffer.alloc(length) : await readAt(file, position, length)
          }
        }
      }
    },

    /** The size of a picture in bytes, and what it is; null when it is gone. */
    async about(path: string): Promise<{ size: number; content_type: string } | null> {
      const file = await open(at(path)).catch(nullIfMissing)
      if (file === null) return null
      await using opened = file
      const { size } = await opened.stat()
      return { size, content_type: imageIn(await readAt(opened, 0, SHORT_HEAD))?.content_type ?? ANY_TYPE }
    },

    /** The caller closes it; null when it is gone. */
    open: (path: string): Promise<FileHandle | null> => open(at(path)).catch(nullIfMissing),

    /** The users who have files. */
    uploaders: async (): Promise<number[]> =>
      (await namesIn(at(FOLDER))).filter(name => /^\d{1,15}$/.test(name)).map(Number),

    /** The user's files, whole or unfinished, last written before `time` (epoch milliseconds). */
    async olderThan(uploader_id: number, time: number, state: 'whole' | 'unfinished'): Promise<string[]> {
      const names = (await namesIn(at(`${FOLDER}/${uploader_id}`))).filter(name =>
        (state === 'whole' ? STORED : UNFINISHED).test(name),
      )
      const paths = names.map(name => `${FOLDER}/${uploader_id}/${name}`)
      const times = await Promise.all(
        paths.map(path =>
          stat(at(path)).then(
            ({ mtimeMs }) => mtimeMs,
            () => time,
          ),
        ),
      ) // it may be gone by now
      return paths.filter((_path, index) => (times[index] ?? time) < time)
    },
  }
}

/** Bytes that say what a picture is. */
const SHORT_HEAD = 512
/** Bytes of a file that are read at once. */
const READ_BYTES = 256 * 1024

const headOf = (file: FileHandle): Promise<Buffer> => readAt(file, 0, HEAD_BYTES)

/** What there is; less at its end. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** All of a file, into the same memory again and again. */
async function* inPieces(path: string, size: number, memory: Buffer): AsyncGenerator<Buffer> {
  await using file = await open(path)
  for (let position = 0; position < size;) {
    const { bytesRead } = await file.read(memory, 0, memory.length, position)
    if (bytesRead === 0) return
    yield memory.subarray(0, bytesRead)
    position += bytesRead
  }
}

async function namesIn(path: string): Promise<string[]> {
  return readdir(path).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
