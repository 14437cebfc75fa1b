import type { Attachment } from '#contract/messages.ts'
import type { RefusalValues } from '#contract/refusals.ts'

/** A text of the language files with what it names, as a refusal carries it. */
export type Reason = { message: string; values: RefusalValues | null }

export type UploadState =
  /** Waits, since two others are being uploaded. */
  | { phase: 'waiting' }
  /** `share` of the bytes has been sent, from 0 to 1. */
  | { phase: 'uploading'; share: number }
  /** All has been sent; the server is passing it on to where the model reads it. */
  | { phase: 'storing' }
  | { phase: 'ready'; attachment: Attachment }
  /** It may succeed if it is tried again. */
  | { phase: 'failed'; reason: Reason }
  /** It never will. */
  | { phase: 'refused'; reason: Reason }

export type UploadEvent =
  | { type: 'progress'; share: number }
  | { type: 'sent' }
  | { type: 'stored'; attachment: Attachment }
  | { type: 'failed'; reason: Reason }
  | { type: 'again' }

/** One file beside a question that is being written. */
export type Upload = {
  id: string
  name: string
  /** Bytes. */
  size: number
  mime_type: string
  /** With which it was given; null as below. */
  model: string | null
  /** Null for one that has been uploaded before: it came back with its question. */
  file: File | null
  state: UploadState
}

/** Pure. Events of an earlier attempt change nothing. */
export function afterEvent(state: UploadState, event: UploadEvent): UploadState {
  switch (event.type) {
    case 'progress':
      return state.phase === 'waiting' || state.phase === 'uploading'
        ? { phase: 'uploading', share: event.share }
        : state
    case 'sent':
      return isUnderWay(state) ? { phase: 'storing' } : state
    case 'stored':
      return isUnderWay(state) ? { phase: 'ready', attachment: event.attachment } : state
    case 'failed':
      return isUnderWay(state) ? { phase: 'failed', reason: event.reason } : state
    case 'again':
      return state.phase === 'failed' ? { phase: 'waiting' } : state
  }
}

/** Whether it becomes ready, or fails, by itself. */
export function isUnderWay({ phase }: UploadState): boolean {
  return phase === 'waiting' || phase === 'uploading' || phase === 'storing'
}

export function attachmentsOf(uploads: readonly Upload[]): Attachment[] {
  return uploads.flatMap(({ state }) => (state.phase === 'ready' ? [state.attachment] : []))
}
