/** Bytes that are read as they are sent, and not before: into `memory`, piece by piece. */
export type AttachedContent = { size: number; read(memory: Buffer): AsyncIterable<Buffer> }

/** What goes with a question of what its person attached, as a provider puts it into a request. */
export type AttachedPart =
  /** Pages of a document, in their order: `text` has a form feed between each two. Null: it has no pages. */
  | { kind: 'text'; file_id: string; name: string; pages: readonly number[] | null; text: string }
  /** `page`: of a document, whose pages are looked at; null for a picture. */
  | {
      kind: 'picture'
      file_id: string
      name: string
      page: number | null
      media_type: string
      content: AttachedContent
      detail: 'auto' | 'low' | 'high'
      width: number | null
      height: number | null
    }
  | { kind: 'file'; file_id: string; name: string; media_type: string; content: AttachedContent }
