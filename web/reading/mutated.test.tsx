import { expect, test } from 'vitest'
import {
  aBook,
  aChinesePdf,
  anOpenDocument,
  aPdf,
  aPresentation,
  aProtectedPdf,
  aWordFile,
  aWorkbook,
  chance,
  linesOfText,
  mutated,
  paragraph,
  shape,
} from './files.testing.ts'
import { aGif, aPng, boxes, exifSegment, withSegments } from './pictures/pictures.testing.ts'
import { readFile } from './readFile.ts'

const COUNT = 200

async function aJpeg(): Promise<Blob> {
  const canvas = new OffscreenCanvas(30, 20)
  canvas.getContext('2d')?.fillRect(0, 0, 15, 20)
  const jpeg = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer())
  return new Blob([withSegments(jpeg, exifSegment(6))])
}

test('damaged documents and pictures, two hundred of them, all end in what was read or in words', async () => {
  const files: Blob[] = [
    aPdf([linesOfText(['one', 'two']), linesOfText(['three'])]),
    aProtectedPdf(),
    aChinesePdf(),
    aWordFile(paragraph('word', '<w:pStyle w:val="1"/>')),
    aWorkbook({ A: '<row><c t="s"><v>0</v></c></row>' }, ['shared']),
    aPresentation([{ shapes: shape('title', 'talk'), notes: 'say' }]),
    anOpenDocument(
      'spreadsheet',
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    ),
    aBook(['<h1>One</h1>']),
    new Blob([
      'From: a@b.c\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhi\r\n--b--\r\n',
    ]),
    new Blob(['<!doctype html><table><tr><td>a<td>b</table>']),
    await aJpeg(),
    new Blob([aPng({ width: 9, height: 9, text: 'x' })]),
    new Blob([aGif({ frames: 3 })]),
    new Blob([boxes('avif', 9, 9)]),
  ]
  const random = chance(20_261_130)
  const kinds = new Map<string, number>()
  for (let at = 0; at < COUNT; at++) {
    const bytes = new Uint8Array(await (files[at % files.length] ?? new Blob()).arrayBuffer())
    const reading = await readFile(new File([mutated(bytes, random)], `damaged ${at}`))
    const outcome = reading.kind === 'refused' ? reading.reason : reading.kind
    // None may need a deadline, or end a worker by what it throws.
    expect(['tookTooLong', 'failed'], `${at}: ${outcome}`).not.toContain(outcome)
    kinds.set(outcome, (kinds.get(outcome) ?? 0) + 1)
  }
  expect(kinds.get('document')).toBeGreaterThan(20)
  expect(kinds.get('broken')).toBeGreaterThan(5)
})
