import { invalid } from './refusal.ts'

/** Bytes of a part's head, and of what may follow the last delimiter. */
const MAX_HEAD = 8 * 1024

/** A file while it is sent. Nothing of it is kept in memory: whoever reads it decides where it goes, and may stop at any time. */
export type ArrivingFile = {
  /** As the sender calls it: anything. */
  filename: string
  content: AsyncIterable<Buffer>
}

/**
 * The one part of a multipart form, which must be a file of the field `file`. Refuses any other form, at the latest when the
 * content ends: a second part, or an end without its delimiter.
 */
export async function fileOfForm(body: AsyncIterator<Buffer>, boundary: string): Promise<ArrivingFile> {
  const { head, rest } = await headOf(body)
  const [opening, ...lines] = head.split('\r\n')
  if (opening !== `--${boundary}`) throw invalid(['body'], 'Not a form', 'form_invalid')
  const filename = fileNameIn(lines)
  if (filename === null) throw noFile()
  return { filename, content: contentOf(body, Buffer.from(`\r\n--${boundary}`), rest) }
}

export const noFile = () => invalid(['body', 'file'], 'No file', 'missing')

const END_OF_HEAD = '\r\n\r\n'

async function headOf(body: AsyncIterator<Buffer>): Promise<{ head: string; rest: Buffer }> {
  let bytes = Buffer.alloc(0)
  while (bytes.length <= MAX_HEAD) {
    const { value, done } = await body.next()
    if (done) throw noFile()
    bytes = Buffer.concat([bytes, value])
    const end = bytes.indexOf(END_OF_HEAD)
    if (end >= 0 && end <= MAX_HEAD) return { head: bytes.toString('utf8', 0, end), rest: bytes.subarray(end + END_OF_HEAD.length) }
  }
  throw invalid(['body'], 'Not a form', 'form_invalid')
}

/** Browsers leave a file out by giving it no name; of the characters that cannot stand in quotes they write these three as percent codes. */
function fileNameIn(lines: readonly string[]): string | null {
  const disposition = lines.find(line => /^content-disposition: *form-data;/i.test(line)) ?? ''
  const field = /; *name="([^"]*)"/i.exec(disposition)?.[1]
  const filename = /; *filename="([^"]*)"/i.exec(disposition)?.[1] ?? ''
  return field === 'file' && filename !== '' ? filename.replaceAll(/%(?:0d|0a|22)/gi, decodeURIComponent) : null
}

async function* contentOf(body: AsyncIterator<Buffer>, delimiter: Buffer, first: Buffer): AsyncGenerator<Buffer> {
  let bytes = first
  for (;;) {
    const end = bytes.indexOf(delimiter)
    if (end >= 0) {
      if (end > 0) yield bytes.subarray(0, end)
      return await requireLast(body, bytes.subarray(end + delimiter.length))
    }
    // The last bytes may be the beginning of a delimiter of which the rest has not come yet.
    const certain = bytes.length - delimiter.length + 1
    if (certain > 0) yield bytes.subarray(0, certain)
    const { value, done } = await body.next()
    if (done) throw invalid(['body'], 'Ends too early', 'form_invalid')
    bytes = Buffer.concat([bytes.subarray(Math.max(0, certain)), value])
  }
}

async function requireLast(body: AsyncIterator<Buffer>, first: Buffer): Promise<void> {
  let bytes = first
  while (bytes.length <= MAX_HEAD) {
    const { value, done } = await body.next()
    if (!done) {
      bytes = Buffer.concat([bytes, value])
      continue
    }
    if (bytes.toString('latin1', 0, 2) === '--') return
    break
  }
  throw invalid(['body'], 'More than one file', 'form_invalid')
}
