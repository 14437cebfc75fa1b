import { type ModelChoice, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import type { DocumentContent, DraftAttachment } from './attachment.ts'

const ANY: Omit<DraftAttachment, 'id' | 'name' | 'content'> = {
  size: 1_000,
  mime_type: '',
  file: null,
  pasted: null,
  state: { phase: 'ready' },
  file_id: null,
  as: null,
  pages: null,
  remedy: null,
}

export const FILE_ID = '0f1e2d3c-4b5a-4978-8899-000000000001'

export function aDocument(content: Partial<DocumentContent> = {}, id = 'd'): DraftAttachment {
  const all: DocumentContent = {
    kind: 'document',
    page_count: null,
    tokens: 100,
    page_tokens: null,
    page_pictures: [],
    has_layout: false,
    partly: null,
    ...content,
  }
  return { ...ANY, id, name: `${id}.pdf`, mime_type: 'application/pdf', file_id: FILE_ID, content: all }
}

export function aPicture(id = 'p'): DraftAttachment {
  const content = { kind: 'picture', width: 1_000, height: 800 } as const
  return { ...ANY, id, name: `${id}.jpg`, mime_type: 'image/jpeg', file_id: FILE_ID, content }
}

export function aModel(about: Partial<ModelChoice> = {}): ModelChoice {
  return { source: 'openai_api', code: 'm', label: null, ...UNKNOWN_CAPABILITIES, ...about }
}

export function anOwnFile(about: Partial<OwnFile> = {}): OwnFile {
  return {
    id: FILE_ID,
    name: 'report.pdf',
    size: 1_000,
    content_type: 'application/pdf',
    upload_time: '2026-11-20T10:00:00Z',
    is_here: true,
    web_file_id: null,
    conversation: null,
    is_attachable: true,
    kind: 'document',
    width: null,
    height: null,
    pages: 3,
    tokens: 300,
    has_thumbnail: false,
    page_pictures: [],
    gone: null,
    ...about,
  }
}
