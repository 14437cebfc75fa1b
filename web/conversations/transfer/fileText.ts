import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'
import { UnreadableFile } from './importReasons.ts'

/** Bytes of JSON: what a browser can hold as one text, with room to spare. */
export const MOST_BYTES = 400 * 1024 * 1024

/** How the file of most exports is called; a large one comes in several. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/
const ANY = /\.json$/i
/** What a zip ends with: a mark, and 18 bytes and a remark behind it. */
const END = [0x50, 0x4b, 0x05, 0x06]
const SHORTEST_END = 22
const LONGEST_END = SHORTEST_END + 65_535
const MOST_FILES = 200

/** Texts that are conversations by their name, or else whatever was found. */
export type FileTexts = { texts: string[]; isNamed: boolean }

/** The JSON texts in a file: itself, or those of a zip that are called conversations, or else all of it. */
export async function textsOf(file: Blob): Promise<FileTexts> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (start[0] === 0x50 && start[1] === 0x4b) {
    if (!(await isWholeZip(file))) throw new UnreadableFile('transfer.no.notAZip')
    const named = await unzipped(file, CONVERSATIONS)
    if (named.length > 0) return { texts: named.map(decoded), isNamed: true }
    const any = await unzipped(file, ANY)
    if (any.length === 0) throw new UnreadableFile('transfer.no.emptyZip')
    return { texts: any.map(decoded), isNamed: false }
  }
  if (file.size > MOST_BYTES) throw new UnreadableFile('transfer.no.tooLarge')
  return { texts: [decoded([new Uint8Array(await file.arrayBuffer())])], isNamed: true }
}

/** Its list of files stands at the end: a download that broke off has none, and what is in front of it may be half of the conversations. */
async function isWholeZip(file: Blob): Promise<boolean> {
  const end = new Uint8Array(await file.slice(-LONGEST_END).arrayBuffer())
  for (let at = end.length - SHORTEST_END; at >= 0; at--)
    if (END.every((byte, offset) => end[at + offset] === byte)) return true
  return false
}

/** Read as a stream: a data export holds pictures and sounds as well, which may be larger than memory. */
async function unzipped(file: Blob, names: RegExp): Promise<Uint8Array[][]> {
  const taken: Uint8Array[][] = []
  const read = { bytes: 0, failed: false }
  const unzip = new Unzip(entry => {
    if (!names.test(entry.name) || taken.length >= MOST_FILES) return
    const chunks: Uint8Array[] = []
    taken.push(chunks)
    collect(entry, chunks, read)
  })
  unzip.register(UnzipInflate)
  try {
    const reader = file.stream().getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      unzip.push(next.value)
      // A zip bomb: small in the zip, endless outside of it.
      if (read.bytes > MOST_BYTES) throw new UnreadableFile('transfer.no.tooLarge')
    }
    unzip.push(new Uint8Array(), true)
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : new UnreadableFile('transfer.no.notAZip', { cause })
  }
  if (read.failed) throw new UnreadableFile('transfer.no.notAZip')
  return taken
}

function collect(entry: UnzipFile, chunks: Uint8Array[], read: { bytes: number; failed: boolean }): void {
  entry.ondata = (error, chunk) => {
    if (error !== null) read.failed = true
    else if (read.bytes <= MOST_BYTES) {
      read.bytes += chunk.length
      chunks.push(chunk)
    }
  }
  entry.start()
}

function decoded(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map(chunk => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch (cause) {
    throw new UnreadableFile('transfer.no.notJson', { cause })
  }
}
