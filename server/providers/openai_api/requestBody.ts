import { randomBytes } from 'node:crypto'
import type { StreamedContent } from '#server/foundation/outbound/outbound.ts'
import type { AttachedContent } from '../attachedPart.ts'

/** Content that becomes a data URL as the body is sent, and not before: all of it together is nowhere in memory. */
export class DataUrl {
  readonly media_type: string
  readonly content: AttachedContent

  constructor({ media_type, content }: Pick<DataUrl, 'media_type' | 'content'>) {
    this.media_type = media_type
    this.content = content
  }
}

/** The body of a request, as JSON: a text, or a stream with its length where something is to be encoded. */
export function requestBody(fields: object): string | { content: () => StreamedContent; size: number } {
  const contents: AttachedContent[] = []
  // A name that nobody knows before, and so no text has.
  const stand_in = `bytes-${randomBytes(16).toString('hex')}`
  const text = JSON.stringify(fields, (_name, value: unknown) => {
    if (!(value instanceof DataUrl)) return value
    contents.push(value.content)
    return `data:${value.media_type};base64,${stand_in}`
  })
  if (contents.length === 0) return text
  const texts = text.split(stand_in).map(each => Buffer.from(each))
  const lengths = [...texts.map(({ length }) => length), ...contents.map(({ size }) => Math.ceil(size / 3) * 4)]
  const size = lengths.reduce((sum, length) => sum + length, 0)
  return { content: () => encoded(texts, contents), size }
}

/**
 * Bytes that are encoded at once, a multiple of three: the letters are young, and gone before they cost anything.
 * Megabytes of new memory for each picture made the collector of garbage the most of what an ask cost.
 */
const ENCODED_BYTES = 24 * 1024
/** Bytes that are read at once, a multiple of three: each read costs the turn of a thread. */
const READ_BYTES = 1_500 * 1024
/**
 * Letters that are sent at once, from the same memory: more than a socket takes without asking to wait until it has
 * sent them.
 */
const SENT_LETTERS = 128 * 1024

/** The texts, with the content between each two. */
async function* encoded(texts: readonly Buffer[], contents: readonly AttachedContent[]): AsyncGenerator<Buffer> {
  const memory = { read: Buffer.allocUnsafeSlow(READ_BYTES), sent: Buffer.allocUnsafeSlow(SENT_LETTERS) }
  for (const [index, text] of texts.entries()) {
    yield text
    const content = contents[index]
    if (content !== undefined) yield* inBase64(content.read(memory.read), memory.sent)
  }
}

/** Three bytes are four letters: what is left of a piece goes with the next one. */
async function* inBase64(pieces: AsyncIterable<Buffer>, memory: Buffer): AsyncGenerator<Buffer> {
  let letters = 0
  let rest: Buffer = NOTHING
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    for (let at = 0; at < whole; at += ENCODED_BYTES) {
      letters += memory.write(bytes.toString('base64', at, Math.min(whole, at + ENCODED_BYTES)), letters, 'latin1')
      if (letters + LETTERS_AT_ONCE <= memory.length) continue
      yield memory.subarray(0, letters)
      letters = 0
    }
    rest = whole === bytes.length ? NOTHING : Buffer.from(bytes.subarray(whole))
  }
  letters += memory.write(rest.toString('base64'), letters, 'latin1')
  // A copy: so little may still wait to be sent when the memory is written again.
  if (letters > 0) yield Buffer.from(memory.subarray(0, letters))
}

const LETTERS_AT_ONCE = (ENCODED_BYTES / 3) * 4
const NOTHING = Buffer.alloc(0)
