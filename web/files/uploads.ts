import { create } from 'zustand'
import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { Envelope } from '#contract/envelope.ts'
import {
  completeUpload,
  isPictureType,
  relayUpload,
  startUpload,
  type UploadedFile,
  uploadLocally,
} from '#contract/files.ts'
import { deleteFile } from '#contract/ownFiles.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { Attachment } from '#contract/messages.ts'
import { call, RefusedCall, TransportFailure } from '#web/foundation/call.ts'
import { TOO_LARGE } from '#web/foundation/failures.ts'
import { sendWithProgress } from '#web/foundation/sendWithProgress.ts'
import { useSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { attachmentOf, type SeeingModel, seesPictures } from './askFiles.ts'
import { addFiles, afterEvent, type Reason, type Upload, type UploadEvent } from './uploadState.ts'

/** The files of drafts, by conversation; lost when the page is left. */
type Uploads = { readonly [conversation: string]: readonly Upload[] }

export const useUploads = create<Uploads>(() => ({}))

/** Uploads at once: the server accepts this many of one user. */
const MAX_AT_ONCE = 2
const NONE: readonly Upload[] = []

/** Running uploads, by id. */
const running = new Map<string, AbortController>()
/** The server's ids of uploads that are no part of a question yet, by upload. */
const stored = new Map<string, string>()
let lastId = 0

export function uploadsIn(conversation: string): readonly Upload[] {
  return useUploads.getState()[conversation] ?? NONE
}

export function attachFiles(conversation: string, files: readonly File[], model: SeeingModel): void {
  const present = uploadsIn(conversation)
  const { added, beyond } = addFiles(files, present, model)
  if (beyond.files > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyText', { most: MAX_ATTACHMENTS, count: beyond.files }))
  if (beyond.pictures > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyPicturesText', { most: MAX_IMAGES, count: beyond.pictures }))
  useUploads.setState({ [conversation]: [...present, ...added.map(upload => ({ ...upload, id: newId() }))] })
  startNext()
}

/**
 * Removes a file, and cancels its upload: then the server is told before the next one begins, since it counts how many
 * run.
 */
export function removeUpload(id: string): void {
  const abort = running.get(id)
  if (abort === undefined) void forgetStored(id)
  else abort.abort()
  change(uploads => uploads.filter(upload => upload.id !== id))
}

/**
 * Deletes what the server has stored of an upload that is not needed any more. If that fails, the server removes it
 * within a day.
 */
async function forgetStored(id: string): Promise<void> {
  const file_id = stored.get(id)
  stored.delete(id)
  if (file_id !== undefined) await call(deleteFile, { params: { id: file_id } }).catch(() => undefined)
}

/**
 * The server refuses a question for these files. One that came back with its question has no content here, and can only
 * be removed.
 */
export function refuseUploads(conversation: string, refused: readonly Attachment[], message: string): void {
  const ids = new Set(refused.map(({ id }) => id))
  for (const { id, state } of uploadsIn(conversation))
    if (state.phase === 'ready' && ids.has(state.attachment.id))
      dispatch(id, { type: 'notTaken', reason: { message, values: null } })
}

export function uploadAgain(id: string): void {
  dispatch(id, { type: 'again' })
  startNext()
}

/** The server has accepted the question with these files; those added since move to the conversation's new id. */
export function settleUploads(from: string, to: string, sent: readonly Attachment[]): void {
  const ids = new Set(sent.map(({ id }) => id))
  for (const { id, state } of uploadsIn(from))
    if (state.phase === 'ready' && ids.has(state.attachment.id)) stored.delete(id)
  const left = uploadsIn(from).filter(({ state }) => state.phase !== 'ready' || !ids.has(state.attachment.id))
  useUploads.setState({ [from]: NONE, [to]: from === to ? left : [...uploadsIn(to), ...left] })
}

/** Puts the files of a withdrawn question back into the draft. */
export function putBackUploads(conversation: string, attachments: readonly Attachment[]): void {
  const back = attachments.map((attachment): Upload => ({
    id: newId(),
    name: attachment.name,
    size: attachment.size ?? 0,
    mime_type: attachment.mimeType ?? '',
    model: null,
    file: null,
    state: { phase: 'ready', attachment },
  }))
  useUploads.setState({ [conversation]: [...back, ...uploadsIn(conversation)] })
}

function startNext(): void {
  const waiting = Object.values(useUploads.getState())
    .flat()
    .filter(({ id, state }) => state.phase === 'waiting' && !running.has(id))
  for (const upload of waiting.slice(0, MAX_AT_ONCE - running.size)) void run(upload)
}

async function run({ id, file, mime_type, model }: Upload): Promise<void> {
  if (file === null) return
  void forgetStored(id)
  const abort = new AbortController()
  running.set(id, abort)
  dispatch(id, { type: 'progress', share: 0 })
  const conversation_id = conversationOf(id)
  await sendFile({
    file,
    mime_type,
    model,
    conversation_id,
    signal: abort.signal,
    onStored: file_id => void stored.set(id, file_id),
    notify: event => dispatch(id, event),
  })
  if (abort.signal.aborted) await forgetStored(id)
  running.delete(id)
  startNext()
}

/** The conversation it is for; undefined for a new one. */
function conversationOf(id: string): string | undefined {
  const [conversation = NEW_CONVERSATION] =
    Object.entries(useUploads.getState()).find(([, uploads]) => uploads.some(upload => upload.id === id)) ?? []
  return conversation === NEW_CONVERSATION ? undefined : conversation
}

function dispatch(id: string, event: UploadEvent): void {
  change(uploads =>
    uploads.some(upload => upload.id === id)
      ? uploads.map(upload => (upload.id === id ? { ...upload, state: afterEvent(upload.state, event) } : upload))
      : uploads,
  )
}

function change(next: (uploads: readonly Upload[]) => readonly Upload[]): void {
  useUploads.setState(all =>
    Object.fromEntries(Object.entries(all).map(([conversation, uploads]) => [conversation, next(uploads)])),
  )
}

function newId(): string {
  lastId += 1
  return `file-${lastId}`
}

// After signing out, another user may sign in on this page.
useSession.subscribe(({ user }) => {
  if (user !== null) return
  for (const abort of running.values()) abort.abort()
  stored.clear()
  useUploads.setState({}, true)
})

type FileToSend = {
  file: File
  mime_type: string
  /** The model that will read it. */
  model: SeeingModel
  /** The conversation it is for; undefined for a new one. */
  conversation_id: string | undefined
  signal: AbortSignal
  /** Called when the server keeps something of the file, under this id. */
  onStored(file_id: string): void
  notify(event: UploadEvent): void
}

const NOT_SENT: Reason = { message: 'toast.transport.text', values: null }
const TOO_LARGE_FOR_PROXY: Reason = { message: 'toast.transport.tooLarge', values: null }
const NOT_STORED: Reason = { message: 'files.notStored', values: null }
const CREATED = 201
/** The refusal when the storage has refused the file. */
const STORAGE_REFUSED = 'errors.storageRefused' satisfies `errors.${RefusalKey}`
/**
 * Milliseconds without progress or answer of a storage host after which the upload is given up. The portal has
 * deadlines of its own, and reports them.
 */
const MAX_PAUSE = 60_000

/** The storage refused the file, or did not answer. */
class NotStored extends Error {}

/** Uploads one file and reports its progress, up to `stored` or `failed`; nothing more after an abort. */
async function sendFile(sent: FileToSend): Promise<void> {
  const { mime_type, signal, notify } = sent
  try {
    const attachment = attachmentOf(await upload(sent), mime_type)
    if (!signal.aborted)
      notify(attachment === null ? { type: 'failed', reason: NOT_STORED } : { type: 'stored', attachment })
  } catch (error) {
    if (!signal.aborted) notify({ type: 'failed', reason: reasonOf(error) })
  }
}

/** Directly to the upstream's storage where the server says so, else through the server. */
async function upload(sent: FileToSend): Promise<UploadedFile> {
  const { file, mime_type, model, conversation_id, signal, notify, onStored } = sent
  const use_case = seesPictures(model) && isPictureType(mime_type) ? 'multimodal' : 'my_files'
  const size = await pictureSize(file, mime_type)
  const { upload_file_info: info } = await call(
    startUpload,
    { query: { conversation_id }, body: { file_name: file.name, file_size: file.size, use_case, mime_type, ...size } },
    { signal },
  )
  if (info !== null) {
    onStored(info.id)
    await putFile(info.openai_web_info?.upload_url ?? '', sent)
    notify({ type: 'sent' })
    return call(completeUpload, { params: { id: info.id } }, { signal })
  }
  const { id } = await call(uploadLocally, { body: { file } }, { signal, send: withProgress(notify) })
  onStored(id)
  notify({ type: 'sent' })
  return call(relayUpload, { params: { id }, query: { conversation_id, use_case } }, { signal })
}

/** Pixels; null for other files, and pictures that this browser cannot read. */
async function pictureSize(file: File, mime_type: string): Promise<{ width: number; height: number } | null> {
  if (!isPictureType(mime_type)) return null
  try {
    const picture = await createImageBitmap(file)
    const { width, height } = picture
    picture.close()
    return { width, height }
  } catch {
    return null
  }
}

/**
 * Sends a file to the upstream's storage, which prescribes the headers: through the portal, or directly. When the
 * storage itself does not answer, that says nothing about the portal.
 */
async function putFile(address: string, { file, signal, notify }: FileToSend): Promise<void> {
  const headers = {
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-version': '2020-04-08',
    'content-type': file.type || 'application/octet-stream',
  }
  const isPortal = URL.parse(address)?.origin === location.origin
  const send = withProgress(notify, isPortal ? null : MAX_PAUSE)
  const response = await send(address, { method: 'PUT', headers, body: file, signal }).catch((cause: unknown) => {
    throw isPortal || signal.aborted || !navigator.onLine ? cause : new NotStored('no answer', { cause })
  })
  if (response.status === CREATED) return
  const refusal = isPortal ? Envelope.safeParse(await response.json().catch(() => null)).data : undefined
  if (isPortal && refusal === undefined) throw new TransportFailure('', { status: response.status })
  if (refusal === undefined || refusal.message === STORAGE_REFUSED) throw new NotStored(`HTTP ${response.status}`)
  throw new RefusedCall(refusal)
}

/** Reports whole per cent only: each report is rendered, and a large file has thousands. */
function withProgress(notify: FileToSend['notify'], longest_pause: number | null = null) {
  let last = 0
  return sendWithProgress(share => {
    const percent = Math.floor(share * 100)
    if (percent > last) notify({ type: 'progress', share: percent / 100 })
    last = percent
  }, longest_pause)
}

/** The server's reason if it gave one, else who answered in its place. */
function reasonOf(error: unknown): Reason {
  if (error instanceof RefusedCall) return { message: error.message, values: error.values }
  if (error instanceof NotStored) return NOT_STORED
  if (!(error instanceof TransportFailure || error instanceof TypeError)) console.error(error)
  const status = error instanceof TransportFailure ? error.status : null
  if (status === TOO_LARGE) return TOO_LARGE_FOR_PROXY
  return status === null ? NOT_SENT : { message: 'toast.transport.status', values: { status } }
}
