/** Ours: the files that people have uploaded. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { Time, Uuid } from './envelope.ts'

/** How many are listed at most, the latest ones. */
export const MAX_LISTED = 500

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
})
export type OwnFile = z.infer<typeof OwnFile>

export const listFiles = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/files',
  summary: 'One’s own files, the latest first, and how much of one’s space on this server they take.',
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
  params: z.object({ id: Uuid }),
  result: z.null(),
} as const satisfies Call
