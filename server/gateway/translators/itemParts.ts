import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import { refusedName } from './translated.ts'

/** The content of an item as parts of a chat's message. What has no counterpart is added to `refused`. */
export function itemParts(content: unknown, refused: string[]): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = Array.isArray(content) ? content.filter(isFields) : []
  return parts.flatMap(part => partsOf(part, refused))
}

function partsOf(part: Fields, refused: string[]): Fields[] {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return [{ type: 'text', text: String(part['text'] ?? '') }]
    case 'refusal':
      return [{ type: 'text', text: String(part['refusal'] ?? '') }]
    case 'input_image':
      return imagePart(part, refused)
    case 'input_file':
      return filePart(part, refused)
    case 'input_audio':
      return [{ type: 'input_audio', input_audio: part['input_audio'] }]
    default:
      refused.push(refusedName('input.content', part['type']))
      return []
  }
}

function imagePart({ image_url, detail }: Fields, refused: string[]): Fields[] {
  const url = typeof image_url === 'string' ? image_url : fieldOf(image_url, 'url')
  if (typeof url === 'string') {
    const shown = typeof detail === 'string' && DETAILS.includes(detail) ? { detail } : {}
    return [{ type: 'image_url', image_url: { url, ...shown } }]
  }
  refused.push('input.content.input_image.file_id')
  return []
}

const DETAILS = ['low', 'high', 'auto']

function filePart({ file_data, filename, file_url }: Fields, refused: string[]): Fields[] {
  if (typeof file_data === 'string') return [{ type: 'file', file: { filename: filename ?? 'file', file_data } }]
  refused.push(`input.content.input_file.${typeof file_url === 'string' ? 'file_url' : 'file_id'}`)
  return []
}
