import { completeUpload, relayUpload, startUpload, type UploadedFile, uploadLocally } from '#contract/files.ts'
import { call, RefusedCall, sendWithProgress, TransportFailure } from '#web/foundation/call.ts'
import { attachmentOf } from './askFiles.ts'
import { isPicture, looksAtPictures } from './fileTypes.ts'
import { pictureSize } from './pictureSize.ts'
import type { Reason, UploadEvent } from './uploadState.ts'

type Sending = {
  file: File
  mime_type: string
  /** The model it is for. */
  model: string | null
  signal: AbortSignal
  tell(event: UploadEvent): void
}

const NOT_SENT: Reason = { message: 'toast.transport.text', values: null }
/** Status of a storage that has taken a file. */
const CREATED = 201

/** Uploads one file and tells how it goes, up to `stored` or `failed`; nothing more after an abort. */
export async function sendFile(sending: Sending): Promise<void> {
  const { mime_type, signal, tell } = sending
  try {
    const uploaded = await upload(sending, await begin(sending))
    const attachment = attachmentOf(uploaded, mime_type)
    if (!signal.aborted)
      tell(attachment === null ? { type: 'failed', reason: NOT_SENT } : { type: 'stored', attachment })
  } catch (error) {
    if (!signal.aborted) tell({ type: 'failed', reason: reasonOf(error) })
  }
}

type Begun = { upload_file_info: UploadedFile | null }

async function begin({ file, mime_type, model, signal }: Sending): Promise<Begun> {
  const use_case = looksAtPictures(model ?? '') && isPicture(mime_type) ? 'multimodal' : 'my_files'
  const size = await pictureSize(file, mime_type)
  return call(
    startUpload,
    { body: { file_name: file.name, file_size: file.size, use_case, mime_type, ...size } },
    { signal },
  )
}

/** Directly to the web service where the server says so, else through the server. */
async function upload(sending: Sending, { upload_file_info: info }: Begun): Promise<UploadedFile> {
  const { file, signal, tell } = sending
  if (info !== null) {
    await putFile(info.openai_web_info?.upload_url ?? '', sending)
    tell({ type: 'sent' })
    return call(completeUpload, { params: { id: info.id } }, { signal })
  }
  const { id } = await call(uploadLocally, { body: { file } }, { signal, send: telling(tell) })
  tell({ type: 'sent' })
  return call(relayUpload, { params: { id } }, { signal })
}

/** The storage of the web service: no call of ours, and its headers are not ours to choose. */
async function putFile(address: string, { file, signal, tell }: Sending): Promise<void> {
  const headers = {
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-version': '2020-04-08',
    'content-type': file.type || 'application/octet-stream',
  }
  const { status } = await telling(tell)(address, { method: 'PUT', headers, body: file, signal })
  if (status !== CREATED) throw new TransportFailure(`HTTP ${status}`)
}

/** In whole per cent: each step is rendered, and a large file has thousands. */
function telling(tell: Sending['tell']) {
  let told = 0
  return sendWithProgress(share => {
    const hundredths = Math.floor(share * 100)
    if (hundredths > told) tell({ type: 'progress', share: hundredths / 100 })
    told = hundredths
  })
}

/** A word of the server where it has one; the person does nothing with a status or an address. */
function reasonOf(error: unknown): Reason {
  if (error instanceof RefusedCall) return { message: error.message, values: error.values }
  if (!(error instanceof TransportFailure || error instanceof TypeError)) console.error(error)
  return NOT_SENT
}
