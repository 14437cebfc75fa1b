import type { DocumentFormat } from '../reading.ts'
import { Unreadable } from '../unreadable.ts'
import { decoderOf, isText } from './encodings.ts'
import { writeHtml } from './html.ts'
import type { Pages } from './pages.ts'
import { tableOf } from './table.ts'

/** Bytes that are read at once. */
const STEP = 262_144

/** A text of any kind: as it is, or as Markdown where it is a table or a web page. */
export async function readText(file: Blob, format: DocumentFormat, pages: Pages): Promise<void> {
  const start = new Uint8Array(await file.slice(0, STEP).arrayBuffer())
  const decoder = decoderOf(start)
  if (!isText(decoderOf(start).decode(start, { stream: true }))) throw new Unreadable('notTaken')
  pages.next()
  if (format === 'webPage') {
    writeHtml([decoder.decode(await file.arrayBuffer())], pages)
    return
  }
  const write = format === 'csv' ? separatedValues(pages) : (text: string) => pages.write(text)
  for (let at = 0; at < file.size; at += STEP) {
    const bytes = await file.slice(at, at + STEP).arrayBuffer()
    write(decoder.decode(bytes, { stream: true }).replaceAll('\0', '').replace(/\r\n?/g, '\n'))
    pages.progress({ done: Math.min(at + STEP, file.size), total: file.size })
  }
  write(decoder.decode())
  if (format === 'csv') write('\n')
}

const SEPARATORS = [',', ';', '\t', '|'] as const

/** Takes pieces of text with values between separators, quoted where they hold one (RFC 4180). */
export function separatedValues(pages: Pick<Pages, 'write' | 'countCells'>): (piece: string) => void {
  const writeRow = tableOf(pages)
  let separator: string | undefined
  let row: string[] = []
  let value: string[] = []
  /** `closing`: a quote within quotes has come, and the next character says whether it was the end. */
  let state: 'plain' | 'quoted' | 'closing' = 'plain'
  const endValue = () => {
    row.push(value.join(''))
    value = []
    state = 'plain'
  }
  return piece => {
    if (separator === undefined && piece !== '') separator = separatorOf(piece)
    for (const character of piece) {
      if (state === 'quoted') {
        if (character === '"') state = 'closing'
        else value.push(character)
      } else if (state === 'closing' && character === '"') {
        value.push('"')
        state = 'quoted'
      } else if (character === '"' && state === 'plain' && value.length === 0) state = 'quoted'
      else if (character === separator) endValue()
      else if (character === '\n') {
        endValue()
        writeRow(row)
        row = []
      } else value.push(character)
    }
  }
}

/** The one that the first line with any of them has most of. */
function separatorOf(text: string): string {
  const lines = text.slice(0, 10_000).split('\n', 10)
  for (const line of lines) {
    const counts = SEPARATORS.map(separator => ({ separator, count: line.split(separator).length - 1 }))
    const best = counts.reduce((most, each) => (each.count > most.count ? each : most))
    if (best.count > 0) return best.separator
  }
  return ','
}
