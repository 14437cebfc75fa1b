import { describe, expect, test } from 'vitest'
import {
  aBomb,
  aBook,
  aChinesePdf,
  anOpenDocument,
  aPdf,
  aPresentation,
  aProtectedPdf,
  aScan,
  aWordFile,
  aWorkbook,
  circularPdfs,
  linesOfText,
  paragraph,
  shape,
} from './files.testing.ts'
import { aGif, aPng, boxes, exifSegment, withSegments } from './pictures/pictures.testing.ts'
import { pagesAsPictures, readFile } from './readFile.ts'
import { BOUNDS, type Reading } from './reading.ts'

const textsOf = (reading: Reading) => (reading.kind === 'document' ? reading.pages.map(({ text }) => text) : reading)

/** A photograph as this browser encodes one: red on the left, blue on the right. */
async function aJpeg(width = 40, height = 20): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('there is no canvas')
  context.fillStyle = 'red'
  context.fillRect(0, 0, width / 2, height)
  context.fillStyle = 'blue'
  context.fillRect(width / 2, 0, width / 2, height)
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 })).arrayBuffer())
}

async function colourAt(picture: Blob, x: number, y: number): Promise<number[]> {
  const bitmap = await createImageBitmap(picture)
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  return [...(context?.getImageData(x, y, 1, 1).data ?? [])]
}

const latin = async (blob: Blob) => new TextDecoder('latin1').decode(await blob.arrayBuffer())

describe('a document', () => {
  test('is its text, page by page', async () => {
    const file = aPdf([linesOfText(['The first page']), linesOfText(['The second page'])])
    const reading = await readFile(file)
    expect(reading).toMatchObject({
      kind: 'document',
      name: 'paper.pdf',
      format: 'pdf',
      type: 'application/pdf',
      bytes: file,
      hasText: true,
      isPartial: null,
      pages: [
        { number: 1, text: 'The first page\n' },
        { number: 2, text: 'The second page\n' },
      ],
    })
    expect(await readFile(file)).toHaveProperty('sha256', reading.kind === 'document' ? reading.sha256 : '')
  })
  test('of any of the kinds is read', async () => {
    expect(textsOf(await readFile(aWordFile(paragraph('word'))))).toEqual(['word\n'])
    expect(textsOf(await readFile(aWorkbook({ A: '<row><c><v>1</v></c></row>' })))).toEqual(['| 1 |\n| --- |\n'])
    expect(textsOf(await readFile(aPresentation([{ shapes: shape('title', 'talk') }])))).toEqual(['# talk\n'])
    expect(textsOf(await readFile(anOpenDocument('text', '<text:p>open</text:p>')))).toEqual(['open\n'])
    expect(textsOf(await readFile(aBook(['<p>book</p>'])))).toEqual(['book\n'])
    expect(textsOf(await readFile(new File(['a,b\n1,2\n'], 'a.csv')))).toEqual([
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
    ])
    const mail =
      'From: =?utf-8?B?5byg5LiJ?= <a@b.c>\r\nTo: d@e.f\r\nSubject: Hi\r\nContent-Type: text/html\r\n\r\n<p>Hello <b>you</b></p>'
    expect(textsOf(await readFile(new File([mail], 'a.eml')))).toEqual([
      'From: 张三 <a@b.c>\nTo: d@e.f\nSubject: Hi\n\nHello you\n',
    ])
  })
  test('with a password asks for it, and is read with it', async () => {
    const file = aProtectedPdf()
    expect(await readFile(file)).toMatchObject({ kind: 'refused', reason: 'needsPassword', name: 'secret.pdf' })
    expect(await readFile(file, { password: 'another' })).toMatchObject({ reason: 'wrongPassword' })
    expect(textsOf(await readFile(file, { password: 'secret' }))).toEqual(['behind the password\n'])
    expect(await pagesAsPictures(file, [1])).toMatchObject({ reason: 'needsPassword' })
  })
  test('whose table of characters is not in it has its text, by the table that the page brings', async () => {
    expect(textsOf(await readFile(aChinesePdf()))).toEqual(['公平使用\n'])
  })
  test('without text can be had as pictures', async () => {
    const scan = aScan(await aJpeg(), 40, 20)
    expect(await readFile(scan)).toMatchObject({ hasText: false, isPartial: null, pages: [{ number: 1, text: '' }] })
    const pictures = await pagesAsPictures(scan, [1], { maxPictureSide: 200 })
    if (!Array.isArray(pictures)) throw new Error(pictures.reason)
    const [red = 0, , blue = 0] = await colourAt(pictures[0]?.bytes ?? new Blob(), 20, 100)
    expect(red).toBeGreaterThan(blue)
  })
  test('that goes round in circles ends, in its text or in words, and so do its pictures', async () => {
    const outcomes = []
    for (const file of circularPdfs()) {
      const reading = await readFile(file)
      outcomes.push(reading.kind === 'document' ? textsOf(reading) : reading.kind === 'refused' && reading.reason)
      if (reading.kind === 'document') expect(await pagesAsPictures(file, [1])).toHaveLength(1)
    }
    expect(outcomes).toEqual([['aaa\n'], ['aaa\n'], 'broken'])
  })
  test('of more pages than are read is read up to there', async () => {
    const file = aPdf(Array.from({ length: BOUNDS.pages + 1 }, () => [{ x: 9, y: 9, text: 'x' }]))
    const reading = await readFile(file)
    expect(reading).toMatchObject({ isPartial: 'tooManyPages' })
    expect(textsOf(reading)).toHaveLength(BOUNDS.pages)
  })
  test('that unpacks without an end is read up to the bound', async () => {
    expect(await readFile(aBomb(BOUNDS.unpacked + 1))).toMatchObject({
      isPartial: 'unpacksTooLarge',
      pages: [{ text: 'the text before\n' }],
    })
  })
  test('can be had as pictures of its pages, those that there are', async () => {
    const pictures = await pagesAsPictures(aPdf([linesOfText(['One']), []]), [2, 7], { maxPictureSide: 500 })
    expect(pictures).toMatchObject([{ number: 2, height: 500 }])
  })
})

describe('a picture', () => {
  test('is upright, scaled, and without what the camera noted', async () => {
    const bytes = withSegments(await aJpeg(), exifSegment(6))
    const reading = await readFile(new File([bytes], 'IMG.jpg'), { maxPictureSide: 20 })
    if (reading.kind !== 'picture') throw new Error(JSON.stringify(reading))
    expect(reading).toMatchObject({ name: 'IMG.jpg', type: 'image/jpeg', width: 10, height: 20, frames: 1 })
    const [red = 0, , blue = 0] = await colourAt(reading.bytes, 5, 3)
    expect(red).toBeGreaterThan(blue)
    expect(await latin(reading.bytes)).not.toContain('PLACE')
    expect(reading.thumbnail.size).toBeGreaterThan(0)
  })
  test('of the right size loses what the camera noted too', async () => {
    const plain = await aJpeg()
    const reading = await readFile(new File([withSegments(plain, exifSegment(1), [1, 2, 3])], 'IMG.jpg'))
    if (reading.kind !== 'picture') throw new Error(JSON.stringify(reading))
    expect(reading.width).toBe(40)
    expect(reading.bytes.size).toBeLessThanOrEqual(plain.length)
    expect(await latin(reading.bytes)).not.toContain('PLACE')
  })
  test('that moves is its first frame', async () => {
    expect(await readFile(new File([aGif({ frames: 3 })], 'a.gif'))).toMatchObject({
      kind: 'picture',
      frames: 3,
      width: 4,
    })
  })
  test.each([
    ['too many pixels', () => aPng({ width: 30_000, height: 30_000 }), 'tooManyPixels'],
    ['too many frames', () => aGif({ frames: 2_000 }), 'tooManyFrames'],
    ['a form that the browser does not know', () => boxes('heic', 100, 100), 'cannotDecodeHeic'],
    ['half of its bytes', () => aPng({ width: 9, height: 9 }).subarray(0, 40), 'broken'],
  ])('of %s is refused', async (_, bytes, reason) => {
    expect(await readFile(new File([bytes()], 'a'))).toMatchObject({ kind: 'refused', reason })
  })
})

describe('a file', () => {
  test('without content, or with too much of it, is refused before it is read', async () => {
    expect(await readFile(new File([], 'a/../b.txt'))).toEqual({
      kind: 'refused',
      name: 'b.txt',
      reason: 'empty',
      values: {},
    })
    const large = Object.defineProperty(new File(['x'], 'a.bin'), 'size', { value: 2 ** 31 })
    expect(await readFile(large)).toMatchObject({ reason: 'tooLarge', values: { most: 100 } })
  })
  test.each([
    ['MZ\x90\0\x03\0', 'notTaken'],
    ['%PDF-1.7 and nothing else', 'broken'],
    ['PK\x03\x04 and nothing else', 'broken'],
  ])('that is none of these is refused: %j', async (start, reason) => {
    expect(await readFile(new File([Uint8Array.from(start, each => each.charCodeAt(0))], 'a'))).toMatchObject({
      reason,
    })
  })
  test('is given up when nobody wants it any more', async () => {
    const abort = new AbortController()
    const reading = readFile(aPdf([linesOfText(['x'])]), { signal: abort.signal })
    abort.abort(new Error('closed'))
    await expect(reading).rejects.toThrow('closed')
  })
})
