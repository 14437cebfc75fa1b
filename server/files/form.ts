import { isVisible } from '#contract/messages.ts'
import { MAX_FILE_TEXT } from '#contract/ownFiles.ts'
import { MAX_PAGES, PAGE_END } from '#contract/pages.ts'
import { storableText } from '#contract/storableText.ts'
import type { ArrivingPart } from '#server/foundation/http/parts.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import { cleanName } from './uploadedFile.ts'
import type { WrittenFile } from './writing.ts'

/** A file with what its browser says of it, checked as far as bytes go. */
export type ArrivedForm = {
  name: string
  file: WrittenFile
  thumbnail: WrittenFile | null
  text: string | null
  page_count: number | null
}

/** Bytes of a thumbnail, of a number, and of a text, whose characters have three at most. */
const MAX_THUMBNAIL = 256 * 1024
const MAX_NUMBER = 16
const MAX_TEXT_BYTES = MAX_FILE_TEXT * 3
/** What a form has beside its file, at most. */
export const MAX_BESIDE = MAX_TEXT_BYTES + MAX_THUMBNAIL + 64 * 1024

type Write = (name: string, content: AsyncIterable<Buffer>, max_bytes?: number) => Promise<WrittenFile>

/** Reads a form as it comes: files go to the disk by `write`, texts are bounded. Each field may stand there once. */
export async function readForm(parts: AsyncIterable<ArrivingPart>, write: Write): Promise<ArrivedForm> {
  const fields = new Map<string, string>()
  const files = new Map<string, WrittenFile>()
  let name = ''
  for await (const { field, filename, content } of parts) {
    if (fields.has(field) || files.has(field)) throw invalid(['body', field], 'Given twice', 'form_invalid')
    switch (field) {
      case 'file':
        name = cleanName(filename)
        files.set(field, await write(name, content))
        break
      case 'thumbnail':
        files.set(field, await write('thumbnail.png', content, MAX_THUMBNAIL))
        break
      case 'text':
        fields.set(field, await textIn(content, MAX_TEXT_BYTES))
        break
      case 'pages':
      case 'width':
      case 'height':
        fields.set(field, await textIn(content, MAX_NUMBER))
        break
      default:
        throw invalid(['body', field], 'Not a field of this form', 'form_invalid')
    }
  }
  const file = files.get('file')
  if (file === undefined) throw invalid(['body', 'file'], 'No file', 'missing')
  const text = storableText(fields.get('text') ?? '')
  if (text.length > MAX_FILE_TEXT) throw new Refusal('fileTooLarge', { max_bytes: MAX_FILE_TEXT })
  return {
    name,
    file: {
      ...file,
      width: file.width ?? numberIn(fields, 'width', MAX_SIDE),
      height: file.height ?? numberIn(fields, 'height', MAX_SIDE),
    },
    thumbnail: files.get('thumbnail') ?? null,
    text: isVisible(text) ? text : null,
    page_count: pageCount(numberIn(fields, 'pages', MAX_PAGES), text),
  }
}

/** Pixels. */
const MAX_SIDE = 100_000

function numberIn(fields: ReadonlyMap<string, string>, field: string, most: number): number | null {
  const given = fields.get(field)
  if (given === undefined || given === '') return null
  const number = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (number < 1 || number > most) throw invalid(['body', field], `Not from 1 to ${most}`, 'out_of_range')
  return number
}

/** No fewer than the text has. */
function pageCount(given: number | null, text: string): number | null {
  let counted = 1
  for (let at = text.indexOf(PAGE_END); at >= 0; at = text.indexOf(PAGE_END, at + 1)) counted += 1
  if (counted > MAX_PAGES) throw invalid(['body', 'text'], `More than ${MAX_PAGES} pages`, 'out_of_range')
  return given === null && counted === 1 ? null : Math.max(given ?? 0, counted)
}

async function textIn(content: AsyncIterable<Buffer>, max_bytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > max_bytes) throw new Refusal('fileTooLarge', { max_bytes })
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
