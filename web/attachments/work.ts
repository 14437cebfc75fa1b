import { roughTokens } from '#contract/context.ts'
import { readContent } from '#contract/files.ts'
import { type OwnFile, storeFile, storePage } from '#contract/ownFiles.ts'
import { PAGE_END } from '#contract/pages.ts'
import { addressOf, call, RefusedCall, TransportFailure } from '#web/foundation/call.ts'
import { TOO_LARGE } from '#web/foundation/failures.ts'
import { fetchFile } from '#web/foundation/refusedFile.ts'
import { sendWithProgress } from '#web/foundation/sendWithProgress.ts'
import { useSession } from '#web/foundation/session.ts'
import { pagesAsPictures, readFile } from '#web/reading/readFile.ts'
import type {
  PagePicture,
  ReadDocument,
  ReadPicture,
  Reading,
  ReadingRefusal,
  ReadingValues,
} from '#web/reading/reading.ts'
import {
  type AttachmentState,
  type Content,
  contentOf,
  type DraftAttachment,
  isUnderWay,
  PDF,
  type Reason,
} from './attachment.ts'
import { attachmentsIn, change, draftOf, findAttachment, removeFrom, useDrafts } from './drafts.ts'
import { dropThumbnail, keepThumbnail } from './thumbnails.ts'

/** What the portal takes (contract/status.ts). */
export type FileBounds = { max_attachments: number; max_file_bytes: number; max_picture_side: number }

/** Files at once: each has a worker, and the server takes this many uploads of one user. */
const MAX_AT_ONCE = 2

/** Running work, by attachment. */
const running = new Map<string, AbortController>()
/** Passwords of documents, in this page alone: their pages are drawn later. */
const passwords = new Map<string, string>()
/** What was read of a file, while this page may need it again. */
const bytesOf = new Map<string, Blob>()

/** Begins what waits, as far as there is room. */
export function startWaiting(bounds: FileBounds): void {
  const waiting = Object.values(useDrafts.getState())
    .flat()
    .filter(({ id, state, file }) => state.phase === 'waiting' && file !== null && !running.has(id))
  for (const { id } of waiting.slice(0, MAX_AT_ONCE - running.size)) void run(id, bounds)
}

export function cancel(id: string): void {
  running.get(id)?.abort()
  passwords.delete(id)
  bytesOf.delete(id)
  dropThumbnail(id)
}

/** Once more, after a failure or with a password. */
export function tryAgain(id: string, bounds: FileBounds, password?: string): void {
  if (password !== undefined) passwords.set(id, password)
  // What the server has already was read; then its pages are drawn once more.
  setState(id, { phase: findAttachment(id)?.file_id == null ? 'waiting' : 'ready' })
  startWaiting(bounds)
}

async function run(id: string, bounds: FileBounds): Promise<void> {
  const attachment = findAttachment(id)
  if (attachment === undefined || attachment.file === null) return
  const abort = new AbortController()
  running.set(id, abort)
  const { signal } = abort
  try {
    await readAndStore(attachment, attachment.file, bounds, signal)
  } catch (error) {
    if (!signal.aborted) setState(id, { phase: 'failed', reason: reasonOf(error) })
  } finally {
    running.delete(id)
    startWaiting(bounds)
  }
}

async function readAndStore(
  { id }: DraftAttachment,
  file: File,
  { max_picture_side, max_file_bytes }: FileBounds,
  signal: AbortSignal,
): Promise<void> {
  const tooLarge: AttachmentState = {
    phase: 'refused',
    reason: { message: 'errors.fileTooLarge', values: { max_bytes: max_file_bytes } },
  }
  // A picture becomes smaller when it is read.
  if (file.size > max_file_bytes && !file.type.startsWith('image/')) {
    setState(id, tooLarge)
    return
  }
  setState(id, { phase: 'reading', progress: { done: 0, total: null } })
  const password = passwords.get(id)
  const reading = await readFile(file, {
    maxPictureSide: max_picture_side,
    ...(password !== undefined && { password }),
    signal,
    onProgress: progress => {
      if (!signal.aborted) setState(id, { phase: 'reading', progress })
    },
  })
  if (signal.aborted) return
  if (reading.kind === 'refused') {
    setState(id, stateOfRefusal(reading))
    return
  }
  if (reading.bytes.size > max_file_bytes) {
    setState(id, tooLarge)
    return
  }
  bytesOf.set(id, reading.bytes)
  if (reading.kind === 'picture') keepThumbnail(id, reading.thumbnail)
  change(id, now => ({ ...now, size: reading.bytes.size, mime_type: reading.type, content: contentRead(reading) }))
  setState(id, { phase: 'uploading', share: 0 })
  const stored = await call(
    storeFile,
    { body: partsOf(reading) },
    {
      signal,
      send: sendWithProgress(share => {
        if (!signal.aborted) setState(id, { phase: 'uploading', share: Math.floor(share * 100) / 100 })
      }),
    },
  )
  if (!signal.aborted) settleStored(id, stored)
}

/** The same file twice is one: the one that was added first stays. */
function settleStored(id: string, stored: OwnFile): void {
  const conversation = draftOf(id)
  if (conversation === undefined) return
  const isThere = attachmentsIn(conversation).some(other => other.id !== id && other.file_id === stored.id)
  if (isThere) {
    removeFrom(conversation, id)
    cancel(id)
    return
  }
  change(id, now => ({
    ...now,
    file_id: stored.id,
    content: withPagePictures(now.content ?? contentOf(stored), stored),
    state: { phase: 'ready' },
  }))
}

const withPagePictures = (content: Content, { page_pictures }: OwnFile): Content =>
  content.kind === 'document' ? { ...content, page_pictures } : content

function contentRead(reading: ReadPicture | ReadDocument): Content {
  if (reading.kind === 'picture') return { kind: 'picture', width: reading.width, height: reading.height }
  const { pages, hasText, format, type, isPartial } = reading
  const page_tokens = pages.map(({ text }) => roughTokens(text))
  return {
    kind: 'document',
    page_count: pages.length > 1 || format === 'pdf' ? pages.length : null,
    tokens: hasText ? page_tokens.reduce((sum, tokens) => sum + tokens, 0) : null,
    page_tokens,
    page_pictures: [],
    has_layout: type === PDF,
    partly: isPartial,
  }
}

function partsOf(reading: ReadPicture | ReadDocument) {
  const file = new File([reading.bytes], reading.name, { type: reading.type })
  if (reading.kind === 'picture') {
    const { width, height, thumbnail } = reading
    return { file, width: String(width), height: String(height), thumbnail }
  }
  const { pages, hasText } = reading
  return {
    file,
    pages: String(pages.length),
    ...(hasText && { text: pages.map(({ text }) => text.replaceAll(PAGE_END, ' ')).join(PAGE_END) }),
  }
}

function stateOfRefusal({ reason, values }: Extract<Reading, { kind: 'refused' }>): AttachmentState {
  if (reason === 'needsPassword' || reason === 'wrongPassword')
    return { phase: 'needsPassword', wrong: reason === 'wrongPassword' }
  const mayBeTriedAgain = reason === 'tookTooLong' || reason === 'failed'
  return {
    phase: mayBeTriedAgain ? 'failed' : 'refused',
    reason: { reading: `no.${reason}`, values },
  }
}

/** Makes pages of a document pictures and sends them, those that the server does not have yet. */
export async function drawPages(id: string, numbers: readonly number[], max_picture_side: number): Promise<void> {
  const attachment = findAttachment(id)
  if (attachment === undefined || running.has(id) || attachment.content?.kind !== 'document') return
  const { file_id, content } = attachment
  const missing = numbers.filter(number => !content.page_pictures.includes(number))
  if (missing.length === 0 || file_id === null || attachment.state.phase !== 'ready') return
  const abort = new AbortController()
  running.set(id, abort)
  const { signal } = abort
  const report = (done: number) => {
    if (!signal.aborted) setState(id, { phase: 'drawing', progress: { done, total: missing.length } })
  }
  report(0)
  try {
    const file = await fileOf(attachment, signal)
    for (let at = 0; at < missing.length; at += PAGES_AT_ONCE) {
      const pages = missing.slice(at, at + PAGES_AT_ONCE)
      const drawn = await draw(file, pages, { id, max_picture_side, signal })
      for (const [index, page] of drawn.entries()) {
        await storeDrawn(id, file_id, page, signal)
        report(at + index + 1)
      }
      if (drawn.length < pages.length) throw new NotDrawn('failed', {})
    }
    if (!signal.aborted) setState(id, { phase: 'ready' })
  } catch (error) {
    if (!signal.aborted) setState(id, { phase: 'failed', reason: reasonOf(error), of_drawing: true })
  } finally {
    running.delete(id)
  }
}

/** A few at once, so that what is drawn need not be kept until the last page is. */
const PAGES_AT_ONCE = 8

/** Pages that could not be drawn, for a reason of their reading. */
class NotDrawn extends Error {
  readonly reason: Reason

  constructor(reason: ReadingRefusal, values: ReadingValues) {
    super(reason)
    this.reason = { reading: `no.${reason}`, values }
  }
}

type Drawing = { id: string; max_picture_side: number; signal: AbortSignal }

async function draw(file: File, pages: number[], { id, max_picture_side, signal }: Drawing): Promise<PagePicture[]> {
  const password = passwords.get(id)
  const options = { maxPictureSide: max_picture_side, signal, ...(password !== undefined && { password }) }
  const drawn = await pagesAsPictures(file, pages, options)
  if (Array.isArray(drawn)) return drawn
  throw new NotDrawn(drawn.reason, drawn.values)
}

async function storeDrawn(id: string, file_id: string, page: PagePicture, signal: AbortSignal): Promise<void> {
  const params = { id: file_id, number: String(page.number) }
  const stored = await call(storePage, { params, body: page.bytes }, { signal })
  if (!stored.page_pictures.includes(page.number)) throw new NotDrawn('failed', {})
  change(id, now => ({ ...now, content: now.content && withPagePictures(now.content, stored) }))
}

/** Ends the drawing of pages that are not wanted any more; that it has failed is no matter then. */
export function stopDrawing(id: string): void {
  const state = findAttachment(id)?.state
  if (state?.phase !== 'drawing' && !(state?.phase === 'failed' && state.of_drawing === true)) return
  running.get(id)?.abort()
  setState(id, { phase: 'ready' })
}

/** Its bytes: of this page, else those that the server has. */
export async function fileOf(attachment: DraftAttachment, signal?: AbortSignal): Promise<File> {
  const { id, file, name, mime_type, file_id } = attachment
  if (file !== null) return file
  const known = bytesOf.get(id)
  if (known !== undefined) return new File([known], name, { type: mime_type })
  const address = addressOf(readContent, { params: { id: file_id ?? '' } })
  return new File([await fetchFile(address, signal ?? null)], name, { type: mime_type })
}

function setState(id: string, state: AttachmentState): void {
  change(id, now => ({ ...now, state }))
}

/** The server's reason if it gave one, else who answered in its place. */
function reasonOf(error: unknown): Reason {
  if (error instanceof NotDrawn) return error.reason
  if (error instanceof RefusedCall) return { message: error.message, values: error.values }
  if (!(error instanceof TransportFailure || error instanceof TypeError)) console.error(error)
  const status = error instanceof TransportFailure ? error.status : null
  if (status === TOO_LARGE) return { message: 'toast.transport.tooLarge', values: null }
  return status === null
    ? { message: 'toast.transport.text', values: null }
    : { message: 'toast.transport.status', values: { status } }
}

export const isWorking = (attachment: DraftAttachment): boolean => isUnderWay(attachment.state)

useSession.subscribe(({ user }) => {
  if (user !== null) return
  for (const abort of running.values()) abort.abort()
  passwords.clear()
  bytesOf.clear()
})
