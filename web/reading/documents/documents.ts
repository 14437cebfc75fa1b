import type { DocumentFormat } from '../reading.ts'
import { Unreadable } from '../unreadable.ts'
import { type Archive, openArchive } from './archive.ts'
import { readBook } from './book.ts'
import { readOpenDocument } from './openDocument.ts'
import type { Pages } from './pages.ts'
import { readSheet } from './sheet.ts'
import { readSlides } from './slides.ts'
import { readWord } from './word.ts'

/** A document of those that are zip files. */
export type Packed = {
  format: DocumentFormat
  type: string
  read(pages: Pages): Promise<void>
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'
type Reader = (archive: Archive, pages: Pages) => Promise<void>

/** What Office files are, by their main part. */
const PARTS: readonly { part: RegExp; format: DocumentFormat; type: string; read: Reader }[] = [
  { part: /^word\/document\d*\.xml$/, format: 'word', type: `${OFFICE}.wordprocessingml.document`, read: readWord },
  { part: /^xl\/workbook\.xml$/, format: 'sheet', type: `${OFFICE}.spreadsheetml.sheet`, read: readSheet },
  {
    part: /^ppt\/presentation\.xml$/,
    format: 'slides',
    type: `${OFFICE}.presentationml.presentation`,
    read: readSlides,
  },
]
const OPEN_FORMATS: Readonly<Record<string, DocumentFormat>> = {
  [`${OPEN}.text`]: 'word',
  [`${OPEN}.spreadsheet`]: 'sheet',
  [`${OPEN}.presentation`]: 'slides',
}

export async function openPacked(file: Blob): Promise<Packed> {
  const archive = await openArchive(file)
  const part = PARTS.find(each => archive.names.some(name => each.part.test(name)))
  if (part !== undefined) return { ...part, read: pages => part.read(archive, pages) }
  const type = [...(await archive.text('mimetype'))].join('').trim()
  const format = OPEN_FORMATS[type.replace(/-template$/, '')]
  if (format !== undefined) return { format, type, read: pages => readOpenDocument(archive, pages) }
  if (type === 'application/epub+zip' || archive.has('META-INF/container.xml'))
    return { format: 'book', type: 'application/epub+zip', read: pages => readBook(archive, pages) }
  throw new Unreadable('notTaken')
}
