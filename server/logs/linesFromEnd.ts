import type { FileHandle } from 'node:fs/promises'
import { MAX_LOG_LINE } from '#contract/logFiles.ts'

const BLOCK = 64 * 1024
const LINE_END = 0x0a

/**
 * What is left for one answer, over all its files: bytes to read, and the time until which to read (as
 * `performance.now()` tells it).
 */
export type Budget = { bytes: number; until: number }

export const isSpent = ({ bytes, until }: Budget): boolean => bytes <= 0 || performance.now() > until

/** `end` is behind the line's end, or where the file ends when that is not written yet. */
export type FoundLine = { start: number; end: number; bytes: Buffer; isCut: boolean; isWhole: boolean }

/**
 * The lines between two offsets of a file, the last one first. The file is read in blocks from its end, so that a long
 * one costs no more than a short one. Of a line that is too long only the beginning is kept. `from` must be the
 * beginning of a line.
 */
export async function* linesFromEnd(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  budget: Budget,
): AsyncGenerator<FoundLine> {
  const block = Buffer.allocUnsafe(BLOCK)
  /**
   * The pieces of the line whose beginning has not been reached yet, the last one first; empty when the line is too
   * long.
   */
  let pieces: Buffer[] = []
  let end = to
  let isWhole = false

  for (let blockEnd = to; blockEnd > from && !isSpent(budget);) {
    const blockStart = Math.max(from, blockEnd - BLOCK)
    const bytes = await readAt(file, block, blockStart, blockEnd - blockStart)
    budget.bytes -= bytes.length
    // The file has been truncated meanwhile.
    if (bytes.length < blockEnd - blockStart) return
    let lineEnd = bytes.length
    for (let at = bytes.lastIndexOf(LINE_END); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(LINE_END, at - 1)) {
      const start = blockStart + at + 1
      pieces.push(Buffer.from(bytes.subarray(at + 1, lineEnd)))
      if (start < end) yield await lineOf(file, { start, end, isWhole }, pieces)
      pieces = []
      lineEnd = at
      end = start
      isWhole = true
    }
    const start = blockStart
    if (end - start <= MAX_LOG_LINE + BLOCK) pieces.push(Buffer.from(bytes.subarray(0, lineEnd)))
    else pieces = []
    if (start === from && start < end) yield await lineOf(file, { start, end, isWhole }, pieces)
    blockEnd = blockStart
  }
}

/** The line without its line end. If it was too long to keep, its beginning is read again. */
async function lineOf(
  file: FileHandle,
  { start, end, isWhole }: Omit<FoundLine, 'bytes' | 'isCut'>,
  pieces: Buffer[],
): Promise<FoundLine> {
  const length = end - start - (isWhole ? 1 : 0)
  const isCut = length > MAX_LOG_LINE
  const bytes = isCut
    ? await readAt(file, Buffer.allocUnsafe(MAX_LOG_LINE), start, MAX_LOG_LINE)
    : Buffer.concat(pieces.toReversed())
  return { start, end, bytes, isCut, isWhole }
}

/** As many bytes as there are, up to `length`. */
export async function readAt(file: FileHandle, into: Buffer, position: number, length: number): Promise<Buffer> {
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return into.subarray(0, done)
}
