import { create } from 'zustand'
import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import type { Attachment } from '#contract/messages.ts'
import { useSession } from '#web/foundation/session.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/foundation/toasts.ts'
import { takeFiles } from './givenFiles.ts'
import { sendFile } from './sendFile.ts'
import { afterEvent, type Upload, type UploadEvent } from './uploadState.ts'

/** The files of questions that are being written, by conversation. They last as long as the page. */
type Uploads = { readonly [conversation: string]: readonly Upload[] }

export const useUploads = create<Uploads>(() => ({}))

/** The server takes as many of one person. */
const MOST_AT_ONCE = 2
const NONE: readonly Upload[] = []

/** What runs, by upload. */
const running = new Map<string, AbortController>()
let lastId = 0

export function uploadsIn(conversation: string): readonly Upload[] {
  return useUploads.getState()[conversation] ?? NONE
}

export function attachFiles(conversation: string, files: readonly File[], model: string): void {
  const { taken, beyond } = takeFiles(files, uploadsIn(conversation), model)
  if (beyond.files > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyText', { most: MAX_ATTACHMENTS, count: beyond.files }))
  if (beyond.pictures > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyPicturesText', { most: MAX_IMAGES, count: beyond.pictures }))
  put(conversation, [...uploadsIn(conversation), ...taken.map(each => ({ ...each, id: newId() }))])
  startNext()
}

/** Takes a file away, wherever it has got to. */
export function removeUpload(id: string): void {
  running.get(id)?.abort()
  change(uploads => uploads.filter(upload => upload.id !== id))
}

export function uploadAgain(id: string): void {
  tell(id, { type: 'again' })
  startNext()
}

/** The question was taken with these files; what has been put beside it since goes along to where the conversation is now. */
export function settleUploads(from: string, to: string, sent: readonly Attachment[]): void {
  const ids = new Set(sent.map(({ id }) => id))
  const left = uploadsIn(from).filter(({ state }) => state.phase !== 'ready' || !ids.has(state.attachment.id))
  useUploads.setState({ [from]: NONE, [to]: from === to ? left : [...uploadsIn(to), ...left] })
}

/** Files that had been asked about stand beside the question once more. */
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
  put(conversation, [...back, ...uploadsIn(conversation)])
}

function startNext(): void {
  const waiting = Object.values(useUploads.getState())
    .flat()
    .filter(({ id, state }) => state.phase === 'waiting' && !running.has(id))
  for (const upload of waiting.slice(0, MOST_AT_ONCE - running.size)) void run(upload)
}

async function run({ id, file, mime_type, model }: Upload): Promise<void> {
  if (file === null) return
  const leaving = new AbortController()
  running.set(id, leaving)
  tell(id, { type: 'progress', share: 0 })
  await sendFile({ file, mime_type, model, signal: leaving.signal, tell: event => tell(id, event) })
  running.delete(id)
  startNext()
}

function tell(id: string, event: UploadEvent): void {
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

function put(conversation: string, uploads: readonly Upload[]): void {
  useUploads.setState({ [conversation]: uploads })
}

function newId(): string {
  lastId += 1
  return `file-${lastId}`
}

// Signed out: somebody else may sit down here.
useSession.subscribe(({ user }) => {
  if (user !== null) return
  for (const leaving of running.values()) leaving.abort()
  useUploads.setState({}, true)
})
