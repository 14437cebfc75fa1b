import type { AskAttachment, AttachedAs } from '#contract/asking.ts'
import type { KeptAttachment } from '#contract/messages.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import type { RefusalValues } from '#contract/refusals.ts'
import type { PartialReason, ReadingRefusal, ReadingValues } from '#web/reading/reading.ts'

/** Why it is not taken: a key of the language files and its values, as in a refusal; or what the reading of it says. */
export type Reason =
  | { message: string; values: RefusalValues | null }
  | { reading: `no.${ReadingRefusal}`; values: ReadingValues }

/** `total` is null while nobody knows it. */
export type Progress = { done: number; total: number | null }

export type AttachmentState =
  /** Others are read and sent first. */
  | { phase: 'waiting' }
  | { phase: 'reading'; progress: Progress }
  /** `share` of the bytes has been sent, from 0 to 1. */
  | { phase: 'uploading'; share: number }
  /** Its pages are made pictures and sent. */
  | { phase: 'drawing'; progress: Progress }
  | { phase: 'ready' }
  | { phase: 'needsPassword'; wrong: boolean }
  /** It may succeed when it is tried again. `of_drawing`: it is there, and only its pages are not drawn. */
  | { phase: 'failed'; reason: Reason; of_drawing?: true }
  /** It can never succeed. */
  | { phase: 'refused'; reason: Reason }
  /** It was deleted or has expired since. */
  | { phase: 'gone'; reason: 'deleted' | 'expired' }

/** What is known of what is in it. */
export type Content =
  | { kind: 'picture'; width: number | null; height: number | null }
  | {
      kind: 'document'
      /** Null where it has none of its own, as a text. */
      page_count: number | null
      /** Of its text; null where it has none. */
      tokens: number | null
      /** Of each page, while this page knows them. */
      page_tokens: readonly number[] | null
      /** The pages that the server has as pictures. */
      page_pictures: readonly number[]
      /** Whether pages can be made pictures. */
      has_layout: boolean
      /** Why not all of it was read. */
      partly: PartialReason | null
    }

export type DocumentContent = Extract<Content, { kind: 'document' }>

/** What helps where it is too long, until something else is chosen. */
export type Remedy = { kind: 'pages'; pages: string } | { kind: 'text' }

/** One file of a draft. */
export type DraftAttachment = {
  /** In this page. */
  id: string
  name: string
  /** Bytes. */
  size: number
  mime_type: string
  /** What it was made of; null for one that the server had already. */
  file: File | null
  /** Characters, where it was a text in the clipboard, which can be put back. */
  pasted: number | null
  state: AttachmentState
  /** At the server; null before it is there. */
  file_id: string | null
  content: Content | null
  /** What a person chose; null: what suits it. */
  as: AttachedAs | null
  pages: string | null
  remedy: Remedy | null
}

/** How it goes with the question, unless something else is chosen: what has no text is looked at. */
export function usualForm(content: Content | null): AttachedAs {
  if (content === null) return 'text'
  return content.kind === 'picture' || (content.tokens === null && content.has_layout) ? 'picture' : 'text'
}

export type Form = { as: AttachedAs; pages: string | null }

/** How it goes with the question as it was chosen, where that is not too long. */
export const chosenForm = ({ as, content, pages }: DraftAttachment): Form => ({ as: as ?? usualForm(content), pages })

/** The same with what helps against its length. */
export function remediedForm(attachment: DraftAttachment): Form {
  const { remedy } = attachment
  const form = chosenForm(attachment)
  if (remedy === null) return form
  return remedy.kind === 'text' ? { as: 'text', pages: form.pages } : { as: form.as, pages: remedy.pages }
}

/** Whether it will become ready or fail without anybody doing anything. */
export const isUnderWay = ({ phase }: AttachmentState): boolean =>
  phase === 'waiting' || phase === 'reading' || phase === 'uploading' || phase === 'drawing'

export const isReadyToGo = ({ state, file_id }: DraftAttachment): boolean => state.phase === 'ready' && file_id !== null

/** As a request names it. What it is called is for the page itself, until the server has said it. */
export function forRequest(attachment: DraftAttachment, { as, pages }: Form): AskAttachment {
  const { file_id, name, size, mime_type, content } = attachment
  const { width, height } = content?.kind === 'picture' ? content : { width: null, height: null }
  return { file_id: file_id ?? '', as, pages, name, size, mime_type, width, height }
}

/** One that the server has: of the files used before, of a draft of another page, or of a question. */
export function storedAttachment(id: string, file: OwnFile, form: Partial<Form> = {}): DraftAttachment {
  return {
    id,
    name: file.name,
    size: file.size,
    mime_type: file.content_type,
    file: null,
    pasted: null,
    state: file.gone === null ? { phase: 'ready' } : { phase: 'gone', reason: file.gone.reason },
    file_id: file.id,
    content: contentOf(file),
    as: form.as ?? null,
    pages: form.pages ?? null,
    remedy: null,
  }
}

/** One of a question, as the question tells it. The server is asked for the rest. */
export function sentAttachment(id: string, sent: KeptAttachment): DraftAttachment {
  const { name, size, mimeType, width, height, page_count, as, pages } = sent
  const isPicture = as === 'picture' && (page_count ?? null) === null
  return {
    id,
    name,
    size: size ?? 0,
    mime_type: mimeType ?? '',
    file: null,
    pasted: null,
    state: { phase: 'ready' },
    file_id: sent.id,
    content: isPicture ? { kind: 'picture', width: width ?? null, height: height ?? null } : null,
    as,
    pages: pages ?? null,
    remedy: null,
  }
}

export function contentOf(file: OwnFile): Content {
  const { kind, width, height, pages, tokens, page_pictures, content_type } = file
  if (kind === 'picture') return { kind, width, height }
  const has_layout = content_type === PDF
  const page_count = has_layout || (pages ?? 1) > 1 ? pages : null
  return { kind, page_count, tokens, page_tokens: null, page_pictures, has_layout, partly: null }
}

/** The one kind of document whose pages can be drawn. */
export const PDF = 'application/pdf'
