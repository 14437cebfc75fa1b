import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** Bytes of one body, packed once or several times. This bounds the work that a small body can make. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
/** How often one body may be packed. */
const MAX_STAGES = 3

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

/**
 * What packed bytes go through. It works a step at a time beside the event loop, and takes no more than it can unpack.
 */
export type Unpacking = {
  /** Whether more may be written; if not, `onDrain` tells when. */
  write(chunk: Uint8Array): boolean
  /** Nothing more is written. What is there is still unpacked. */
  end(): void
  pause(): void
  resume(): void
  destroy(): void
}

type Listener = {
  onChunk(chunk: Uint8Array): void
  onDrain(): void
  /** All that was written is unpacked, or what was packed has ended. */
  onEnd(): void
  onFailure(cause?: unknown): void
}

/**
 * Unpacks what the other side has packed, which some do without having been asked to. null where nothing is packed in a
 * way that is known.
 */
export function openUnpacking(content_encoding: string | undefined, listener: Listener): Unpacking | null {
  const encodings = (content_encoding ?? '')
    .toLowerCase()
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && each !== 'identity')
  if (encodings.length === 0 || encodings.length > MAX_STAGES || !encodings.every(isKnown)) return null
  const reader = {
    write(chunk: Uint8Array): boolean {
      listener.onChunk(chunk)
      return true
    },
    end: listener.onEnd,
  }
  // The last one named was applied last.
  const stages: Unpacking[] = []
  for (const encoding of encodings) {
    const to = stages[0] ?? reader
    const source = (): Unpacking | undefined => stages[stages.indexOf(made) - 1]
    const onDrain = (): void => {
      const before = source()
      if (before === undefined) listener.onDrain()
      else before.resume()
    }
    const made: Unpacking = openStage(encoding, to, onDrain, listener.onFailure)
    stages.unshift(made)
  }
  const [first, last] = [stages[0], stages.at(-1)]
  if (first === undefined || last === undefined) return null
  return {
    write: chunk => first.write(chunk),
    end: () => first.end(),
    pause: () => last.pause(),
    resume: () => last.resume(),
    destroy: () => stages.forEach(stage => stage.destroy()),
  }
}

function openStage(
  encoding: Encoding,
  to: Pick<Unpacking, 'write' | 'end'>,
  onDrain: () => void,
  onFailure: (cause?: unknown) => void,
): Unpacking {
  let unpacker: Unpacker | null = null
  let bytes = 0
  const open = (first: Uint8Array): Unpacker => {
    const opened: Unpacker = UNPACKERS[encoding](first)
    return opened
      .on('data', (chunk: Uint8Array) => {
        bytes += chunk.length
        if (bytes > MAX_UNPACKED_BYTES) onFailure()
        else if (!to.write(chunk)) opened.pause()
      })
      .on('drain', onDrain)
      .on('end', () => to.end())
      .on('error', onFailure)
  }
  return {
    write: chunk => (unpacker ??= open(chunk)).write(chunk),
    end() {
      if (unpacker === null) to.end()
      else unpacker.end()
    },
    pause: () => void unpacker?.pause(),
    resume: () => void unpacker?.resume(),
    destroy: () => void unpacker?.destroy(),
  }
}
