/** For tests: small pictures with all that cameras and programs put into them. Only their outer form is one. */

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const uint32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])
const uint32le = (value: number): Buffer => Buffer.from(uint32(value).toReversed())
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** What must be nowhere in a picture that is kept. */
export const SECRET_NOTE = 'GPS 52.5200N 13.4050E'

const chunk = (type: string, content: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([uint32(content.length), latin(type), content, Buffer.alloc(4)])

/** `further`: chunks that are not needed to draw it, before its pixels. */
export function aPng(further: readonly string[] = ['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'caBX'], side = 3): Buffer {
  const header = Buffer.concat([uint32(side), uint32(side), Buffer.from([8, 2, 0, 0, 0])])
  return Buffer.concat([
    latin('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', header),
    chunk('gAMA', uint32(45_455)),
    ...further.map(type => chunk(type, latin(SECRET_NOTE))),
    chunk('IDAT', latin('pixels')),
    chunk('IEND'),
  ])
}

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(content.length + 2), content])

const METADATA_SEGMENTS: readonly Buffer[] = [
  segment(0xe1, latin(`Exif\0\0MM\0*${SECRET_NOTE}`)),
  segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0<x>${SECRET_NOTE}</x>`)),
  segment(0xed, latin(`Photoshop 3.0\0${SECRET_NOTE}`)),
  segment(0xe2, latin(`MPF\0${SECRET_NOTE}`)),
  segment(0xfe, latin(SECRET_NOTE)),
]

export function aJpeg({ metadata = METADATA_SEGMENTS, behind = latin(SECRET_NOTE) } = {}): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin('JFIF\0\x01\x02\0\0\x01\0\x01\0\0')),
    ...metadata,
    segment(0xe2, latin('ICC_PROFILE\0\x01\x01colours')),
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, Buffer.from([8, 0, 5, 0, 7, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0]),
    // A second scan of a progressive one, with a comment before it.
    ...(metadata.length > 0 ? [segment(0xfe, latin(SECRET_NOTE))] : []),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([9, 9, 0xff, 0xff, 0xd9]),
    behind,
  ])
}

const webpChunk = (type: string, content: Buffer): Buffer =>
  Buffer.concat([latin(type), uint32le(content.length), content, Buffer.alloc(content.length % 2)])

export function aWebp(withMetadata = true): Buffer {
  const features = Buffer.from([withMetadata ? 0x2c : 0x20, 0, 0, 0, 6, 0, 0, 4, 0, 0])
  const body = Buffer.concat([
    webpChunk('VP8X', features),
    webpChunk('ICCP', latin('colours')),
    webpChunk('VP8L', Buffer.from([0x2f, 6, 0, 1, 0, 7, 7])),
    ...(withMetadata
      ? [
          webpChunk('EXIF', latin(SECRET_NOTE)),
          webpChunk('XMP ', latin(SECRET_NOTE)),
          webpChunk('C2PA', latin(SECRET_NOTE)),
        ]
      : []),
  ])
  return Buffer.concat([latin('RIFF'), uint32le(body.length + 4), latin('WEBP'), body])
}

const blocks = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), latin(text), Buffer.from([0])])

export function aGif({ withMetadata = true, frames = 2 } = {}): Buffer {
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2]),
    blocks('pixels'),
  ])
  const metadata = [
    Buffer.from([0x21, 0xfe]),
    blocks(SECRET_NOTE),
    latin('\x21\xff\x0bXMP DataXMP'),
    blocks(SECRET_NOTE),
  ]
  return Buffer.concat([
    latin('GIF89a'),
    Buffer.from([2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    latin('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0'),
    ...(withMetadata ? metadata : []),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
    ...(withMetadata ? [latin(SECRET_NOTE)] : []),
  ])
}

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([uint32(bytes.length + 8), latin(type), bytes])
}

/** Its EXIF lies behind its pixels, as item 2. */
export function anAvif(): Buffer {
  const ftyp = box('ftyp', latin('avif'), uint32(0), latin('mif1avif'))
  const item = (id: number, type: string) =>
    box('infe', Buffer.from([2, 0, 0, 0]), uint16(id), uint16(0), latin(`${type}\0`))
  const meta = (data_start: number) =>
    box(
      'meta',
      uint32(0),
      box('iinf', uint32(0), uint16(2), item(1, 'av01'), item(2, 'Exif')),
      box(
        'iloc',
        Buffer.from([0, 0, 0, 0, 0x44, 0]),
        uint16(2),
        ...[0, 1].map(index =>
          Buffer.concat([
            uint16(index + 1),
            uint16(0),
            uint16(1),
            uint32(data_start + index * 6),
            uint32(index === 0 ? 6 : SECRET_NOTE.length),
          ]),
        ),
      ),
      box('iprp', box('ipco', box('ispe', uint32(0), uint32(7), uint32(5)))),
    )
  const before = ftyp.length + meta(0).length + 8
  return Buffer.concat([
    ftyp,
    meta(before),
    box('mdat', latin('pixels'), latin(SECRET_NOTE)),
    box('uuid', latin(SECRET_NOTE)),
  ])
}
