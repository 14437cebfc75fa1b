import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { MAX_LOG_LINE } from '#contract/logFiles.ts'

/** Limits of one answer: bytes searched, milliseconds spent, and characters of its lines. */
const LIMITS = { bytes: 64 * 1024 * 1024, ms: 4_000, characters: 4 * 1024 * 1024 }
/** Bytes before a cursor whose checksum shows that the file is still the same. */
const CHECKED = 256
/** Milliseconds without a change after which a last line without its end is shown. */
const AT_REST = 10_000

/** The files of a log have numbers, in the order in which they were written. */
export type LogPart = { part: number; open(): Promise<FileHandle | null> }

/** Where an answer ended: after a whole line of a file. `check` is the checksum of the bytes before it. */
export type Cursor = { part: number; offset: number; check: number }

type Question<Line> = {
  max_lines: number
  after: Cursor | null
  /** Null: the line is left out. */
  read(line: FileLine): Line | null
}

export type Tail<Line> = {
  /** The oldest first. */
  lines: Line[]
  cursor: Cursor | null
  /** There are further lines that match and are not among these. */
  has_more: boolean
  /** Bytes searched when the search was given up; null when it was not. */
  searched_bytes: number | null
}

type Search<Line> = { lines: Line[]; characters: number; budget: Budget; isFull: boolean }

/**
 * The last lines of a log, or the lines after a cursor. Reads from the end, file by file, and no more than needed. A
 * file that was removed, replaced or truncated since the cursor was made is read from its beginning.
 */
export async function tailOf<Line extends { text: string; rest: string }>(
  parts: readonly LogPart[],
  question: Question<Line>,
  limits: Partial<typeof LIMITS> = {},
): Promise<Tail<Line>> {
  const { bytes, ms, characters } = { ...LIMITS, ...limits }
  const search = { lines: [], characters, budget: { bytes, until: performance.now() + ms }, isFull: false }
  const { after } = question
  let cursor: Cursor | null = null
  // Whether all that was asked for has been read: the whole log, or everything after the cursor once its position is
  // found.
  let isThrough = after === null
  const newestFirst = parts.toSorted((one, other) => other.part - one.part)
  for (const [at, { part, open }] of newestFirst.entries()) {
    if (after !== null && part < after.part) break
    await using file = await open()
    if (file === null) continue
    const isOfCursor = after?.part === part
    const from = isOfCursor ? await offsetOf(after, file) : 0
    const range: FileRange = { part, from: from ?? 0, isNewest: cursor === null }
    const found: SearchedFile = await searchFile(file, range, question, search)
    cursor ??= found.cursor
    const isFound = after === null ? !search.isFull || at === parts.length - 1 : isOfCursor && from !== null
    isThrough = found.isThrough && isFound
    if (!found.isThrough || search.isFull) break
  }
  if (cursor === null) return { lines: [], cursor: after, has_more: false, searched_bytes: null }
  const isGivenUp = !isThrough && !search.isFull && isSpent(search.budget)
  return {
    lines: search.lines.toReversed(),
    cursor,
    has_more: !isThrough,
    searched_bytes: isGivenUp ? bytes - Math.max(0, search.budget.bytes) : null,
  }
}

type FileRange = { part: number; from: number; isNewest: boolean }
type SearchedFile = { cursor: Cursor; isThrough: boolean }

async function searchFile<Line extends { text: string; rest: string }>(
  file: FileHandle,
  { part, from, isNewest }: FileRange,
  { after, max_lines, read }: Question<Line>,
  search: Search<Line>,
): Promise<SearchedFile> {
  const { size, mtimeMs } = await file.stat()
  const isGrowing = isNewest && (after !== null || Date.now() - mtimeMs < AT_REST)
  let offset: number | null = null
  let reached = size
  for await (const line of linesFromEnd(file, { from, to: size }, search.budget)) {
    offset ??= line.isWhole ? line.end : line.start
    const found = line.bytes.length === 0 || (!line.isWhole && isGrowing) ? null : read(line)
    if (found !== null) {
      search.characters -= found.text.length + found.rest.length
      search.isFull = search.lines.length === max_lines || (search.characters < 0 && search.lines.length > 0)
      if (search.isFull) break
      search.lines.push(found)
    }
    reached = line.start
    // Whether an older line matches too is not worth a search.
    search.isFull = after === null && search.lines.length === max_lines
    if (search.isFull) break
  }
  return { cursor: await cursorAt(file, part, offset ?? size), isThrough: reached <= from }
}

/** The offset to continue at; null when this is another file, or the bytes before the offset have changed. */
async function offsetOf({ part, offset, check }: Cursor, file: FileHandle): Promise<number | null> {
  const { size } = await file.stat()
  return size >= offset && (await cursorAt(file, part, offset)).check === check ? offset : null
}

async function cursorAt(file: FileHandle, part: number, offset: number): Promise<Cursor> {
  const length = Math.min(CHECKED, offset)
  const before = await readAt(file, Buffer.allocUnsafe(length), offset - length, length)
  return { part, offset, check: crc32(before) }
}

export const cursorText = ({ part, offset, check }: Cursor): string => `${part}.${offset}.${check}`

/** Null when the text is not a cursor. */
export function readCursor(text: string): Cursor | null {
  const [, part, offset, check] = /^(\d{1,9})\.(\d{1,15})\.(\d{1,10})$/.exec(text) ?? []
  return check === undefined ? null : { part: Number(part), offset: Number(offset), check: Number(check) }
}

const BLOCK = 64 * 1024
const LINE_END = 0x0a

/**
 * What is left for one answer, over all its files: bytes to read, and the time until which to read (as
 * `performance.now()` tells it).
 */
type Budget = { bytes: number; until: number }

const isSpent = ({ bytes, until }: Budget): boolean => bytes <= 0 || performance.now() > until

/** `end` is behind the line's end, or where the file ends when that is not written yet. */
export type FileLine = { start: number; end: number; bytes: Buffer; isCut: boolean; isWhole: boolean }

/**
 * The lines between two offsets of a file, the last one first. The file is read in blocks from its end, so that a long
 * one costs no more than a short one. Of a line that is too long only the beginning is kept. `from` must be the
 * beginning of a line.
 */
async function* linesFromEnd(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  budget: Budget,
): AsyncGenerator<FileLine> {
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
  { start, end, isWhole }: Omit<FileLine, 'bytes' | 'isCut'>,
  pieces: Buffer[],
): Promise<FileLine> {
  const length = end - start - (isWhole ? 1 : 0)
  const isCut = length > MAX_LOG_LINE
  const bytes = isCut
    ? await readAt(file, Buffer.allocUnsafe(MAX_LOG_LINE), start, MAX_LOG_LINE)
    : Buffer.concat(pieces.toReversed())
  return { start, end, bytes, isCut, isWhole }
}

/** As many bytes as there are, up to `length`. */
async function readAt(file: FileHandle, into: Buffer, position: number, length: number): Promise<Buffer> {
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return into.subarray(0, done)
}
