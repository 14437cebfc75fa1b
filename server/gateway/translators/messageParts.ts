import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import { refusedName } from './translated.ts'

/** Blocks of a message as parts of a chat's message. What has no counterpart is added to `refused`. */
export function messageParts(blocks: readonly Fields[], refused: string[]): Fields[] {
  return blocks.flatMap(block => partsOf(block, refused))
}

/** The text of a field that is a string or a list of blocks. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks: unknown[] = Array.isArray(content) ? content : []
  return blocks
    .flatMap(block => (typeof fieldOf(block, 'text') === 'string' ? [fieldOf(block, 'text')] : []))
    .join('\n\n')
}

function partsOf(block: Fields, refused: string[]): Fields[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: String(block['text'] ?? '') }]
    case 'image':
      return imagePart(block['source'], refused)
    case 'document':
      return documentParts(block, refused)
    case 'search_result':
      return [
        { type: 'text', text: [block['title'], block['source'], textIn(block['content'])].filter(Boolean).join('\n') },
      ]
    // A tool that was found: all tools are sent at once.
    case 'tool_reference':
      return [{ type: 'text', text: String(block['tool_name'] ?? '') }]
    default:
      refused.push(refusedName('messages.content', block['type']))
      return []
  }
}

function imagePart(source: unknown, refused: string[]): Fields[] {
  const url = sourceUrl(source)
  if (url !== null) return [{ type: 'image_url', image_url: { url } }]
  refused.push(refusedName('messages.content.image.source', fieldOf(source, 'type')))
  return []
}

function documentParts(block: Fields, refused: string[]): Fields[] {
  const source = block['source']
  const type = fieldOf(source, 'type')
  const heading = [block['title'], block['context']].filter(each => typeof each === 'string' && each !== '')
  const headed: Fields[] = heading.length === 0 ? [] : [{ type: 'text', text: heading.join('\n') }]
  if (type === 'text') return [...headed, { type: 'text', text: String(fieldOf(source, 'data') ?? '') }]
  if (type === 'content') {
    const content = fieldOf(source, 'content')
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
    return [...headed, ...messageParts(blocks.filter(isFields), refused)]
  }
  if (type === 'base64') {
    const filename = typeof block['title'] === 'string' ? block['title'] : 'document.pdf'
    return [...headed, { type: 'file', file: { filename, file_data: sourceUrl(source) } }]
  }
  refused.push(refusedName('messages.content.document.source', type))
  return []
}

/** Null where it is a file that only its upstream has. */
function sourceUrl(source: unknown): string | null {
  const url = fieldOf(source, 'url')
  if (fieldOf(source, 'type') === 'url' && typeof url === 'string') return url
  if (fieldOf(source, 'type') !== 'base64') return null
  return `data:${String(fieldOf(source, 'media_type'))};base64,${String(fieldOf(source, 'data'))}`
}
