import { describe, expect, test } from 'vitest'
import { fileOfForm } from './multipartFile.ts'
import type { Refusal } from './refusal.ts'

const BOUNDARY = 'edge-0123'
const TAIL = `\r\n--${BOUNDARY}--\r\n`

const headFor = (disposition: string) => `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\n`
const aForm = (content: string, filename = 'a.txt') => `${headFor(`form-data; name="file"; filename="${filename}"`)}${content}${TAIL}`

/** The bytes of a form, arriving so many at a time. */
async function* arriving(form: string, size = form.length): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(form)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(form: string, size?: number): Promise<{ filename: string; text: string }> {
  const { filename, content } = await fileOfForm(arriving(form, size), BOUNDARY)
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return { filename, text: Buffer.concat(pieces).toString() }
}

const faultOf = (form: string) => read(form).then(() => null, (refusal: Refusal) => refusal.detail?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join())

describe('the file of a form', () => {
  test('arrives as it was sent, however it is cut on the way', async () => {
    const text = `two\r\nlines, --${BOUNDARY} in the midst, \r\n--edge-012, \r\n--\r\n and 林`
    for (let size = 1; size < 200; size++) expect(await read(aForm(text), size), String(size)).toEqual({ filename: 'a.txt', text })
  })
  test('may be empty', async () => {
    expect(await read(aForm(''), 3)).toEqual({ filename: 'a.txt', text: '' })
  })
  test('may be followed by what belongs to no part', async () => {
    expect(await read(`${aForm('text')}epilogue`)).toEqual({ filename: 'a.txt', text: 'text' })
  })
  test('has the name it was given, with what browsers cannot write in quotes', async () => {
    expect((await read(aForm('', '照片 a%22b%0D%0Ac 100%25.png'))).filename).toBe('照片 a"b\r\nc 100%25.png')
  })
})

describe('a form that is refused', () => {
  test.each([
    ['that is empty', '', 'body.file: No file'],
    ['without parts', `--${BOUNDARY}--\r\n`, 'body.file: No file'],
    ['with another boundary', aForm('x').replaceAll(BOUNDARY, 'else'), 'body: Not a form'],
    ['with a text in place of the file', `${headFor('form-data; name="file"')}text${TAIL}`, 'body.file: No file'],
    ['with a file that was not chosen', aForm('', ''), 'body.file: No file'],
    ['with a file of another field', `${headFor('form-data; name="other"; filename="a"')}x${TAIL}`, 'body.file: No file'],
    ['with a head without end', `--${BOUNDARY}\r\n${'x'.repeat(10_000)}`, 'body: Not a form'],
    ['with a second part', aForm('one').replace(TAIL, '') + '\r\n' + aForm('two'), 'body: More than one file'],
    ['that goes on for long after its end', aForm('one') + 'x'.repeat(10_000), 'body: More than one file'],
    ['that ends in the midst', aForm('one').replace(TAIL, ''), 'body: Ends too early'],
  ])('is one %s', async (_what, form, fault) => {
    expect(await faultOf(form)).toBe(fault)
  })
})
