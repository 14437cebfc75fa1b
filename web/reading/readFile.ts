import { cleanFileName, pictureName } from './fileName.ts'
import type { BroughtAsset, DocumentHead, ReadingRequest, ReadingResponse } from './protocol.ts'
import {
  BOUNDS,
  DEADLINES,
  MAX_PICTURE_SIDE,
  type PagePicture,
  type PageText,
  type PartialReason,
  type Reading,
  type ReadingOptions,
  type RefusedFile,
} from './reading.ts'

/** Reads a file in a worker. Rejects only with the reason of an aborted signal: any file ends in words. */
export async function readFile(file: File, options: ReadingOptions = {}): Promise<Reading> {
  const name = cleanFileName(file.name)
  const refused = refusedBefore(file, name)
  if (refused !== null) return refused
  const read: { head: DocumentHead | null; pages: PageText[]; hasText: boolean } = {
    head: null,
    pages: [],
    hasText: false,
  }
  const document = (isPartial: PartialReason | null): Reading | null =>
    read.head === null
      ? null
      : { kind: 'document', name, ...read.head, bytes: file, pages: read.pages, hasText: read.hasText, isPartial }
  return inWorker<Reading>(requestOf(file, name, options), options, {
    onResponse(response) {
      switch (response.kind) {
        case 'head': {
          const { format, type, sha256 } = response
          read.head = { format, type, sha256 }
          return null
        }
        case 'text':
          for (const piece of response.pieces) {
            addPiece(read.pages, piece)
            // Asked of the whole text, this would copy all of it.
            read.hasText ||= /\S/.test(piece.text)
          }
          return null
        case 'picture':
          return { kind: 'picture', name: pictureName(name, response.picture.type), ...response.picture }
        case 'done':
          return document(response.partial)
        case 'refused':
          return { kind: 'refused', name, reason: response.reason, values: response.values }
        default:
          return null
      }
    },
    onEnd(reason) {
      const partial = reason === 'failed' ? 'broken' : reason
      return (read.hasText ? document(partial) : null) ?? { kind: 'refused', name, reason, values: {} }
    },
  })
}

/** Pages of a PDF as they are laid out, those that there are. What was drawn before a page failed is there. */
export async function pagesAsPictures(
  file: File,
  pages: readonly number[],
  options: ReadingOptions = {},
): Promise<PagePicture[] | RefusedFile> {
  const name = cleanFileName(file.name)
  const refused = refusedBefore(file, name)
  if (refused !== null) return refused
  const drawn: PagePicture[] = []
  const { maxPictureSide = MAX_PICTURE_SIDE, password = null } = options
  return inWorker<PagePicture[] | RefusedFile>({ kind: 'draw', file, pages, maxPictureSide, password }, options, {
    onResponse(response) {
      if (response.kind === 'pagePicture') drawn.push(response.picture)
      if (response.kind === 'done') return drawn
      if (response.kind !== 'refused') return null
      return drawn.length > 0 ? drawn : { ...response, name }
    },
    onEnd: reason => (drawn.length > 0 ? drawn : { kind: 'refused', name, reason, values: {} }),
  })
}

type EndReason = 'tookTooLong' | 'failed'

function refusedBefore(file: File, name: string): RefusedFile | null {
  if (file.size === 0) return { kind: 'refused', name, reason: 'empty', values: {} }
  if (file.size <= BOUNDS.file) return null
  return { kind: 'refused', name, reason: 'tooLarge', values: { most: BOUNDS.file / 1024 / 1024 } }
}

function requestOf(file: File, name: string, options: ReadingOptions): ReadingRequest {
  const { maxPictureSide = MAX_PICTURE_SIDE, password = null } = options
  return { kind: 'read', file, name, type: file.type, maxPictureSide, password }
}

/** A long page comes in several pieces. */
function addPiece(pages: PageText[], piece: PageText): void {
  const open = pages.at(-1)
  if (open?.number === piece.number) open.text += piece.text
  else pages.push(piece)
}

type Exchange<Result> = {
  /** The result, once a response makes it; null before. */
  onResponse(response: ReadingResponse): Result | null
  /** What becomes of it when the worker did not answer in time, or failed. */
  onEnd(reason: EndReason): Result
}

/** Files are read one after another: each may take as much memory as a page should have. */
let queue: Promise<unknown> = Promise.resolve()

function inWorker<Result>(
  request: ReadingRequest,
  { signal, onProgress }: ReadingOptions,
  exchange: Exchange<Result>,
): Promise<Result> {
  const result = queue.then(() => {
    signal?.throwIfAborted()
    return exchangeWith(takeWorker(), { request, signal, onProgress, ...exchange, onAnswered: keepWorker })
  })
  queue = result.catch(() => undefined)
  return result
}

/** Milliseconds that a worker waits for the next file, with what it has loaded. */
const IDLE_TTL = 3_000

let idle: { worker: ReadingThread; timer: ReturnType<typeof setTimeout> } | null = null

function takeWorker(): ReadingThread {
  if (idle === null) return new Worker(new URL('./readingWorker.ts', import.meta.url), { type: 'module' })
  const { worker, timer } = idle
  clearTimeout(timer)
  idle = null
  return worker
}

function keepWorker(worker: ReadingThread): void {
  const timer = setTimeout(() => {
    idle = null
    worker.terminate()
  }, IDLE_TTL)
  idle = { worker, timer }
}

/** What a worker has of its own to the page: tests have others. */
export type ReadingThread = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>

type ExchangeOptions<Result> = Exchange<Result> &
  Pick<ReadingOptions, 'signal' | 'onProgress'> & {
    request: ReadingRequest
    /** The worker may be asked again. */
    onAnswered(worker: ReadingThread): void
  }

/** One request and its answer. A worker that does not give it, or says nothing new for too long, is ended. */
export function exchangeWith<Result>(worker: ReadingThread, options: ExchangeOptions<Result>): Promise<Result> {
  const { request, signal, onProgress, onResponse, onEnd, onAnswered } = options
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const ended = new AbortController()
  let isAnswered = false
  const end = (reason: EndReason) => resolve(onEnd(reason))
  // Its own script is loading until it says something.
  let silence: ReturnType<typeof setTimeout> | undefined
  const whole = setTimeout(end, DEADLINES.all, 'tookTooLong')
  signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  worker.addEventListener('error', () => end('failed'), { signal: ended.signal })
  worker.addEventListener('messageerror', () => end('failed'), { signal: ended.signal })
  const onMessage = ({ data }: MessageEvent<ReadingResponse>) => {
    clearTimeout(silence)
    if (data.kind !== 'loading') silence = setTimeout(end, DEADLINES.silence, 'tookTooLong')
    if (data.kind === 'progress') onProgress?.({ done: data.done, total: data.total })
    if (data.kind === 'wantsAsset') void bring(worker, data)
    const result = onResponse(data)
    if (result === null) return
    isAnswered = true
    resolve(result)
  }
  worker.addEventListener('message', onMessage, { signal: ended.signal })
  worker.postMessage(request, { transfer: [] })
  return promise.finally(() => {
    clearTimeout(silence)
    clearTimeout(whole)
    ended.abort()
    if (isAnswered) onAnswered(worker)
    else worker.terminate()
  })
}

async function bring(worker: ReadingThread, wanted: ReadingResponse & { kind: 'wantsAsset' }): Promise<void> {
  const { pdfAsset } = await import('./pdfAssets.ts')
  const bytes = await pdfAsset(wanted.folder, wanted.name).catch(() => null)
  const asset: BroughtAsset = { kind: 'asset', id: wanted.id, bytes }
  worker.postMessage(asset, { transfer: bytes === null ? [] : [bytes] })
}
