import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
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
export function requestBody(fields: object): string | { content: Readable; size: number } {
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
  return { content: Readable.from(encoded(texts, contents), { objectMode: false }), size }
}

/** The texts, with the content between each two. */
async function* encoded(texts: readonly Buffer[], contents: readonly AttachedContent[]): AsyncGenerator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text
    const content = contents[index]
    if (content !== undefined) yield* inBase64(content.read())
  }
}

/** Three bytes are four letters: what is left of a piece goes with the next one. */
async function* inBase64(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}
