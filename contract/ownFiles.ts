/** Ours: the files of people, kept here, which go with a question of any source. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time, Uuid } from './envelope.ts'
import { MAX_PAGES } from './pages.ts'

/** How many are listed at most, the latest ones. */
export const MAX_LISTED = 500
/** How many are asked for by their ids at most. */
export const MAX_NAMED = 100
/** Of the text of a file in UTF-16 units; more is refused. */
export const MAX_FILE_TEXT = 8_000_000

/** Why there is nothing left of a file but what it was called. */
export const GoneReason = z.enum(['deleted', 'expired'])
export type GoneReason = z.infer<typeof GoneReason>

export const OwnFile = z.object({
  id: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.int(),
  content_type: z.string(),
  upload_time: Time,
  /** Whether its bytes are kept on this server, where they count. */
  is_here: z.boolean(),
  /** Its name at the web service; null before it has arrived there. */
  web_file_id: z.nullable(z.string()),
  /** The conversation that it was last asked about in; null where there is none, or none any more. */
  conversation: z.nullable(z.object({ id: z.string(), title: z.nullable(z.string()) })),
  /** Whether it may go with a question of any source by its id here; others were uploaded for a web account. */
  is_attachable: z.boolean(),
  kind: z.enum(['picture', 'document']),
  /** Pixels of a picture. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** How many pages its owner's browser counted. */
  pages: z.nullable(z.int()),
  /** Of its text, estimated; null where it has none. */
  tokens: z.nullable(z.int()),
  has_thumbnail: z.boolean(),
  /** The pages that are kept as pictures. */
  page_pictures: z.array(z.int()),
  /** Null while it is there. */
  gone: z.nullable(z.object({ time: Time, reason: GoneReason })),
})
export type OwnFile = z.infer<typeof OwnFile>

const byId = z.object({ id: Uuid })
const count = z.string().check(z.regex(/^\d{1,6}$/))
const aPage = z.object({ id: Uuid, number: count })

/** The fields of the form, in any order. What the file is, its first bytes say, whatever it is called. */
export const StoredParts = z.object({
  file: z.unknown(),
  /** What the browser read in it: pages are parted by form feeds. */
  text: z.optional(z.string().check(z.maxLength(MAX_FILE_TEXT), storable)),
  pages: z.optional(count),
  /** A small picture of it. */
  thumbnail: z.optional(z.unknown()),
  width: z.optional(count),
  height: z.optional(count),
})

export const storeFile = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/files',
  summary: 'Stores a file of one’s own with what its browser read in it. The same content is stored once.',
  body: StoredParts,
  bodyKind: 'parts',
  result: OwnFile,
} as const satisfies Call

export const listFiles = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files',
  summary: 'One’s own files, the latest first, and how much of one’s space on this server they take.',
  query: z.object({
    /** These alone, with those that are gone: ids, parted by commas. */
    ids: z.optional(z.string().check(z.regex(/^[\da-f-]{36}(?:,[\da-f-]{36})*$/), z.maxLength(MAX_NAMED * 37))),
    /** Those whose name holds it. */
    search: z.optional(z.string().check(z.maxLength(200), storable)),
  }),
  result: z.object({
    files: z.array(OwnFile),
    /** With those that are not listed. */
    total: z.int(),
    used_bytes: z.int(),
    most_bytes: z.int(),
  }),
} as const satisfies Call

export const deleteFile = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/files/:id',
  summary: 'Removes a file of one’s own. What the web service has of it stays there.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const readThumbnail = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/:id/thumbnail',
  summary: 'The small picture of a file; of a picture without one, itself.',
  params: byId,
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

export const readFileText = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/:id/text',
  summary: 'What the browser read in a file, its pages parted by form feeds.',
  params: byId,
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call

export const storePage = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/files/:id/pages/:number',
  summary: `Stores a page of a document as a picture, as its browser drew it; at most ${MAX_PAGES} pages.`,
  params: aPage,
  body: z.unknown(),
  bodyKind: 'content',
  result: OwnFile,
} as const satisfies Call

export const readPage = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files/:id/pages/:number',
  summary: 'The picture of a page of a document.',
  params: aPage,
  result: z.unknown(),
  resultKind: 'file',
} as const satisfies Call
