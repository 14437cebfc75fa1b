import { Envelope } from '#contract/envelope.ts'
import { completeUpload, relayUpload, startUpload, type UploadedFile, uploadLocally } from '#contract/files.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { call, RefusedCall, TransportFailure } from '#web/foundation/call.ts'
import { TOO_LARGE } from '#web/foundation/failures.ts'
import { sendWithProgress } from '#web/foundation/sendWithProgress.ts'
import { attachmentOf } from './askFiles.ts'
import { isPicture, seesPictures } from './fileTypes.ts'
import type { Reason, UploadEvent } from './uploadState.ts'

type FileToSend = {
  file: File
  mime_type: string
  /** The model that will read it. */
  model: string | null
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
export async function sendFile(sent: FileToSend): Promise<void> {
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
  const use_case = seesPictures(model ?? '') && isPicture(mime_type) ? 'multimodal' : 'my_files'
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
  if (!isPicture(mime_type)) return null
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
