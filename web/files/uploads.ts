import { create } from 'zustand'
import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Attachment } from '#contract/messages.ts'
import { useSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { sendFile } from './sendFile.ts'
import { addFiles, afterEvent, type Upload, type UploadEvent } from './uploadState.ts'

/** The files of drafts, by conversation; lost when the page is left. */
type Uploads = { readonly [conversation: string]: readonly Upload[] }

export const useUploads = create<Uploads>(() => ({}))

/** The server accepts as many at once from one user. */
const MOST_AT_ONCE = 2
const NONE: readonly Upload[] = []

/** Running uploads, by id. */
const running = new Map<string, AbortController>()
let lastId = 0

export function uploadsIn(conversation: string): readonly Upload[] {
  return useUploads.getState()[conversation] ?? NONE
}

export function attachFiles(conversation: string, files: readonly File[], model: string): void {
  const present = uploadsIn(conversation)
  const { added, beyond } = addFiles(files, present, model)
  if (beyond.files > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyText', { most: MAX_ATTACHMENTS, count: beyond.files }))
  if (beyond.pictures > 0)
    toast.refusal(t('files.tooMany'), t('files.tooManyPicturesText', { most: MAX_IMAGES, count: beyond.pictures }))
  useUploads.setState({ [conversation]: [...present, ...added.map(upload => ({ ...upload, id: newId() }))] })
  startNext()
}

/** Removes a file, and cancels its upload. */
export function removeUpload(id: string): void {
  running.get(id)?.abort()
  change(uploads => uploads.filter(upload => upload.id !== id))
}

export function uploadAgain(id: string): void {
  dispatch(id, { type: 'again' })
  startNext()
}

/** The server has accepted the question with these files; those added since move to the conversation's new id. */
export function settleUploads(from: string, to: string, sent: readonly Attachment[]): void {
  const ids = new Set(sent.map(({ id }) => id))
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
  for (const upload of waiting.slice(0, MOST_AT_ONCE - running.size)) void run(upload)
}

async function run({ id, file, mime_type, model }: Upload): Promise<void> {
  if (file === null) return
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
    notify: event => dispatch(id, event),
  })
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
  useUploads.setState({}, true)
})
