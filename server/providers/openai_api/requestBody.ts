import { randomBytes } from 'node:crypto'

/** Content that becomes a data URL as the body is sent, and not before: encoded it is a third larger. */
export class DataUrl {
  readonly media_type: string
  readonly bytes: Buffer

  constructor({ media_type, bytes }: Pick<DataUrl, 'media_type' | 'bytes'>) {
    this.media_type = media_type
    this.bytes = bytes
  }
}

/** The body of a request, as JSON: a text, or bytes where something is to be encoded, each piece of it once. */
export function requestBody(fields: object): string | Buffer {
  const contents: Buffer[] = []
  // A name that nobody knows before, and so no text has.
  const stand_in = `bytes-${randomBytes(16).toString('hex')}`
  const text = JSON.stringify(fields, (_name, value: unknown) => {
    if (!(value instanceof DataUrl)) return value
    contents.push(value.bytes)
    return `data:${value.media_type};base64,${stand_in}`
  })
  return contents.length === 0 ? text : encoded(text.split(stand_in), contents)
}

const encodedLength = ({ length }: Buffer): number => Math.ceil(length / 3) * 4

/** Bytes that are encoded at once, which is faster than all together: a multiple of three, so that the pieces join. */
const PIECE = 24 * 1024

/** The texts, with the content between each two. */
function encoded(texts: readonly string[], contents: readonly Buffer[]): Buffer {
  const lengths = [...texts.map(text => Buffer.byteLength(text)), ...contents.map(encodedLength)]
  const body = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  let end = 0
  for (const [index, text] of texts.entries()) {
    end += body.write(text, end)
    const content = contents[index]
    if (content === undefined) continue
    for (let at = 0; at < content.length; at += PIECE)
      end += body.write(content.toString('base64', at, Math.min(at + PIECE, content.length)), end, 'latin1')
  }
  return body
}
