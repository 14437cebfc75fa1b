import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

/** Content that becomes a data URL as the body is sent, and not before: encoded it is a third larger. */
export class DataUrl {
  readonly media_type: string
  readonly bytes: Buffer

  constructor({ media_type, bytes }: Pick<DataUrl, 'media_type' | 'bytes'>) {
    this.media_type = media_type
    this.bytes = bytes
  }
}

/** A body that is sent once: a text, or a stream with its length. */
export type RequestBody = string | { content: Readable; size: number }

/** The body of a request, as JSON. */
export function requestBody(fields: object): RequestBody {
  const contents: Buffer[] = []
  // A name that nobody knows before, and so no text has.
  const stand_in = `bytes-${randomBytes(16).toString('hex')}`
  const text = JSON.stringify(fields, (_name, value: unknown) => {
    if (!(value instanceof DataUrl)) return value
    contents.push(value.bytes)
    return `data:${value.media_type};base64,${stand_in}`
  })
  if (contents.length === 0) return text
  const texts = text.split(stand_in).map(each => Buffer.from(each))
  const size = sum(texts.map(({ length }) => length)) + sum(contents.map(encodedLength))
  return { content: Readable.from(encoded(texts, contents), { objectMode: false }), size }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const encodedLength = ({ length }: Buffer): number => Math.ceil(length / 3) * 4

/** Bytes that are encoded at once: a multiple of three, so that the pieces join. */
const PIECE = 192 * 1024

/** The texts, with the content between each two. */
function* encoded(texts: readonly Buffer[], contents: readonly Buffer[]): Generator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text
    const content = contents[index]
    if (content === undefined) continue
    for (let at = 0; at < content.length; at += PIECE)
      yield Buffer.from(content.toString('base64', at, Math.min(at + PIECE, content.length)), 'latin1')
  }
}
