import type { Author, StoredMessage } from '../messageForm.ts'
import { isRaw } from '../rawValues.ts'
import { readWebContent } from './content.ts'
import { usesMarks } from './marks.ts'

/**
 * Whether a message was stored when nobody here could read its kind: with content that was not known, or with marks in
 * its text.
 */
export function isReadAnew({ content, metadata }: StoredMessage): boolean {
  if (metadata?.source !== 'openai_web') return false
  if (content === null) return isRaw(metadata.fallback_content) || typeof metadata.fallback_content === 'string'
  return content.content_type === 'text' && usesMarks(content.text ?? content.parts?.join('') ?? '')
}

/** Words alone are a text. */
const contentOf = (kept: unknown): unknown =>
  typeof kept === 'string' ? { content_type: 'text', parts: [kept] } : kept

/** The message as it would be stored now. */
export function readAnew({ role, author_name }: Author, stored: StoredMessage): StoredMessage & { isHidden: boolean } {
  const metadata = stored.metadata?.source === 'openai_web' ? stored.metadata : null
  const read = readWebContent({
    author: { role, name: author_name },
    content: stored.content ?? contentOf(metadata?.fallback_content),
    metadata: metadata ?? {},
    recipient: metadata?.recipient ?? null,
  })
  const { content, citations, isHidden } = read
  return {
    content: content?.content_type === 'text' ? { content_type: 'text', parts: [content.text ?? ''] } : content,
    metadata: metadata === null ? stored.metadata : { ...metadata, ...(citations.length > 0 && { citations }) },
    isHidden,
  }
}
