import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time, Uuid } from './envelope.ts'

/** The specification, section 5: 512 MB per file. `data.max_file_upload_size` may set less. */
export const MAX_FILE_BYTES = 536_870_912
export const UploadStrategy = z.enum([
  'server_upload_only',
  'browser_upload_only',
  'browser_upload_when_file_size_exceed',
])
export type UploadStrategy = z.infer<typeof UploadStrategy>
export const UseCase = z.enum(['my_files', 'multimodal'])
export type UseCase = z.infer<typeof UseCase>

/** The name of a file at the web service: file-AbCd1234, or since 2025 file_00000000ab12. */
export const WebFileId = z.string().check(z.regex(/^file[-_]\w[\w-]{0,63}$/))

/**
 * In messages: file-service://file-AbCd1234, sediment://file_00000000ab12. A page or a copy of a file is named around
 * it, by `#`.
 */
const FILE_POINTER = /^(?:(?:file-service|sediment):\/\/)?(?:[\w-]{1,100}#)?(file[-_]\w[\w-]{0,63})(?:#[^\s]{0,200})?$/

/** The file that a picture or an attachment of a message points to; null where it points to something else. */
export const webFileIn = (pointer: string): string | null => FILE_POINTER.exec(pointer)?.[1] ?? null

/** How a message points to a picture: each form of ids has its own scheme. */
export const webFilePointer = (id: string): string => `${id.startsWith('file_') ? 'sediment' : 'file-service'}://${id}`

const pixels = z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(100_000))))

export const UploadStart = z.object({
  file_name: z.string().check(z.minLength(1), z.maxLength(255)),
  file_size: z.int().check(z.minimum(0), z.maximum(MAX_FILE_BYTES)),
  use_case: UseCase,
  width: pixels,
  height: pixels,
  mime_type: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
})

export type UploadStart = z.infer<typeof UploadStart>

export const UploadedFile = z.object({
  id: z.string(),
  original_filename: z.string(),
  size: z.int(),
  /** null: the file is not stored on this server. */
  storage_path: z.nullable(z.string()),
  content_type: z.nullable(z.string()),
  upload_time: Time,
  uploader_id: z.int(),
  openai_web_info: z.nullable(
    z.object({
      file_id: z.string(),
      use_case: UseCase,
      upload_url: z.nullable(z.string()),
      download_url: z.nullable(z.string()),
    }),
  ),
  extra_info: z.nullable(z.object({ width: z.nullable(z.int()), height: z.nullable(z.int()) })),
})
export type UploadedFile = z.infer<typeof UploadedFile>

const byId = z.object({ id: Uuid })
/** Ours: the conversation that the file is for, whose account it goes to. */
const forConversation = z.object({ conversation_id: z.optional(Uuid) })

export const startUpload = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/files/openai-web/upload-start',
  summary: 'Begins an upload and says which way it goes.',
  query: forConversation,
  body: UploadStart,
  result: z.object({ strategy: UploadStrategy, file_max_size: z.int(), upload_file_info: z.nullable(UploadedFile) }),
} as const satisfies Call

/** Ours: the `upload_url` of an upload that goes through the portal. */
export const sendContent = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/files/openai-web/upload/:id',
  summary: 'Passes the content of a file on to the storage of the web service. Answers 201.',
  params: byId,
  body: z.unknown(),
  bodyKind: 'content',
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

export const completeUpload = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/files/openai-web/upload-complete/:id',
  summary: 'Says that the browser has sent the file.',
  params: byId,
  result: UploadedFile,
} as const satisfies Call

export const uploadLocally = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/files/local/upload',
  summary: 'Stores a file on this server.',
  body: z.object({ file: z.unknown() }),
  bodyKind: 'file',
  result: UploadedFile,
} as const satisfies Call

export const relayUpload = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/files/local/upload-to-openai-web/:id',
  summary: 'Sends a stored file to the web service.',
  params: byId,
  query: z.extend(forConversation, { use_case: z.optional(UseCase) }),
  result: UploadedFile,
} as const satisfies Call

export const downloadLocally = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/local/download/:id',
  summary: 'The stored file itself, or the part of it that `Range` names.',
  params: byId,
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

export const readDownloadUrl = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/:id/download-url',
  summary: 'Address of a file at the web service.',
  params: z.object({ id: WebFileId }),
  result: z.string(),
} as const satisfies Call

/** Ours: a file by its id here, or by that at the web service. */
export const readContent = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/:id/content',
  summary: 'A file itself, or the part of it that `Range` names: a picture to be shown, anything else to be saved.',
  params: z.object({ id: z.union([Uuid, WebFileId]) }),
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

/**
 * The types that a model which sees pictures reads, by file extension: the type a browser gives differs between
 * systems.
 */
const TEXTS: Readonly<Record<string, string>> = {
  cs: 'text/x-csharp',
  java: 'text/x-java',
  sh: 'text/x-sh',
  ts: 'text/x-typescript',
  pdf: 'application/pdf',
  txt: 'text/plain',
  json: 'application/json',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  js: 'text/javascript',
  c: 'text/x-c',
  cpp: 'text/x-c++',
  rb: 'text/x-ruby',
  tex: 'text/x-tex',
  php: 'text/x-php',
  html: 'text/html',
  py: 'text/x-script.python',
  md: 'text/markdown',
}
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
}

const KNOWN: Readonly<Record<string, string>> = { ...TEXTS, ...PICTURES }
const READ = new Set(Object.values(KNOWN))
const PICTURE_TYPES = new Set(Object.values(PICTURES))

/** What a file's extension says it is; undefined for one that such a model does not read. */
export function readTypeOf(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(KNOWN, extension) ? KNOWN[extension] : undefined
}

/** All that such a model reads: extensions, then types. */
export const READ_EXTENSIONS: readonly string[] = Object.keys(KNOWN)
export const READ_TYPES: readonly string[] = [...READ]

export const isReadType = (mime_type: string): boolean => READ.has(mime_type)
export const isPictureType = (mime_type: string): boolean => PICTURE_TYPES.has(mime_type)
