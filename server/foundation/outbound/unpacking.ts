import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { type OutboundAnswer, type OutboundBody, readText, type ReaderSignal } from './exchange.ts'
import { OutboundFailure } from './failure.ts'

/** Bytes of one body. What is unpacked is handed over chunk by chunk; this bounds the work that a small body can make. */
const MOST_UNPACKED = 256 * 1024 * 1024
/** Bytes that may wait to be unpacked. */
const MOST_WAITING = 8 * 1024 * 1024

// What was cut is read as far as it came: whether that is all is for its reader to say.
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH }

const UNPACKERS = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  // Half of the servers mean a stream with a header by this name, as the standard says, half one without.
  deflate: (first: Uint8Array) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate(ZLIB) : createInflateRaw(ZLIB)),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
}
type Encoding = keyof typeof UNPACKERS
type Unpacker = ReturnType<(typeof UNPACKERS)[Encoding]>

const isKnown = (encoding: string): encoding is Encoding => Object.hasOwn(UNPACKERS, encoding)

/** The answer with its body as it was before the other side packed it, which some do without having been asked to. */
export function unpacked(answer: OutboundAnswer): OutboundAnswer {
  const encoding = answer.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (!isKnown(encoding)) return answer
  const each: OutboundBody['each'] = read => unpackEach(answer.body, encoding, read)
  return { ...answer, body: { ...answer.body, each, text: max_bytes => readText(each, max_bytes) } }
}

async function unpackEach(
  packed: OutboundBody,
  encoding: Encoding,
  read: (chunk: Uint8Array) => ReaderSignal,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const opened: { unpacker: Unpacker | null } = { unpacker: null }
  let failure: unknown = null
  let signal: ReaderSignal = 'continue'
  let bytes = 0

  const fail = (error: unknown): void => {
    signal = 'cancel'
    ended.reject(error)
  }
  const deliver = (chunk: Uint8Array): void => {
    if (signal !== 'continue') return
    bytes += chunk.length
    if (bytes > MOST_UNPACKED) return fail(new OutboundFailure('unpacking'))
    try {
      signal = read(chunk)
    } catch (error) {
      fail(error)
    }
    if (signal !== 'continue') ended.resolve()
  }
  const open = (first: Uint8Array): Unpacker =>
    UNPACKERS[encoding](first)
      .on('data', deliver)
      .on('end', () => {
        if (failure === null) ended.resolve()
        else fail(failure)
      })
      .on('error', cause => fail(new OutboundFailure('unpacking', { cause })))
  const end = (): void => {
    if (opened.unpacker === null) ended.resolve()
    else opened.unpacker.end()
  }

  packed
    .each(chunk => {
      if (signal !== 'continue') return 'cancel'
      const unpacker = (opened.unpacker ??= open(chunk))
      if (unpacker.writableLength > MOST_WAITING) fail(new OutboundFailure('unpacking'))
      else unpacker.write(chunk)
      return 'continue'
    })
    .then(end, (error: unknown) => {
      // What came before it is unpacked first.
      failure = error
      if (opened.unpacker === null) fail(error)
      else end()
    })
  try {
    await ended.promise
  } finally {
    opened.unpacker?.destroy()
    packed.destroy()
  }
}
