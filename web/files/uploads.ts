import { create } from 'zustand'
import { MAX_ATTACHMENTS, MAX_IMAGES } from '#contract/asking.ts'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { deleteFile } from '#contract/ownFiles.ts'
import type { Attachment } from '#contract/messages.ts'
import { call } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import { sendFile } from './sendFile.ts'
import { addFiles, afterEvent, type Upload, type UploadEvent } from './uploadState.ts'

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
