import * as z from 'zod/mini'
import { PARTIAL_REASONS } from '#web/reading/reading.ts'
import type { DraftAttachment } from './attachment.ts'

/** What is kept of an attachment that the server has: a line of JSON. The store of the browser is not trusted. */
const Line = z.object({
  file_id: z.string().check(z.regex(/^[\da-f-]{36}$/)),
  name: z.string().check(z.maxLength(512)),
  size: z.number(),
  mime_type: z.string().check(z.maxLength(200)),
  pasted: z.nullable(z.number()),
  as: z.nullable(z.enum(['picture', 'text', 'file'])),
  pages: z.nullable(z.string().check(z.maxLength(400))),
  content: z.nullable(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('picture'), width: z.nullable(z.number()), height: z.nullable(z.number()) }),
      z.object({
        kind: z.literal('document'),
        page_count: z.nullable(z.number()),
        tokens: z.nullable(z.number()),
        page_tokens: z.null(),
        page_pictures: z.array(z.number()),
        has_layout: z.boolean(),
        partly: z.nullable(z.enum(PARTIAL_REASONS)),
      }),
    ]),
  ),
})
export type StoredLine = z.infer<typeof Line>

/** Of those that the server has: the others are lost with the page. */
export function linesOf(attachments: readonly DraftAttachment[]): string {
  return attachments
    .filter(({ file_id }) => file_id !== null)
    .map(({ file_id, name, size, mime_type, pasted, as, pages, content }) =>
      JSON.stringify({
        file_id,
        name,
        size,
        mime_type,
        pasted,
        as,
        pages,
        content: content?.kind === 'document' ? { ...content, page_tokens: null } : content,
      }),
    )
    .join('\n')
}

/** Each file once: the lines of several tabs may have been joined. */
export function storedIn(lines: string): StoredLine[] {
  const all = lines.split('\n').flatMap(line => lineIn(line) ?? [])
  return all.filter(({ file_id }, at) => all.findIndex(other => other.file_id === file_id) === at)
}

function lineIn(line: string): StoredLine | null {
  try {
    return Line.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
