import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { until } from '#testing/until.ts'
import { fileOfForm } from './multipartFile.ts'
import type { Refusal } from '../refusal.ts'

const BOUNDARY = 'edge-0123'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const TAIL = `\r\n--${BOUNDARY}--\r\n`

const headFor = (disposition: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\n`
const aForm = (content: string, filename = 'a.txt') =>
  `${headFor(`form-data; name="file"; filename="${filename}"`)}${content}${TAIL}`

/** The bytes of a form, arriving so many at a time. */
function arriving(form: string, size = form.length): Readable {
  const bytes = Buffer.from(form)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  return Readable.from(pieces)
}

async function read(form: string, size?: number): Promise<{ filename: string; text: string }> {
  const { filename, content } = await fileOfForm(arriving(form, size), TYPE)
  return { filename, text: String(await buffer(content)) }
}

const faultOf = (form: string, size?: number) =>
  read(form, size).then(
    () => null,
    (refusal: Refusal) => refusal.detail?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join(),
  )

describe('the file of a form', () => {
  test('arrives as it was sent, however it is cut on the way', async () => {
    const text = `two\r\nlines, --${BOUNDARY} in the midst, \r\n--edge-012, \r\n--\r\n and 林`
    for (let size = 1; size < 200; size++)
      expect(await read(aForm(text), size), String(size)).toEqual({ filename: 'a.txt', text })
  })
  test('may be empty', async () => {
    expect(await read(aForm(''), 3)).toEqual({ filename: 'a.txt', text: '' })
  })
  test('may be preceded and followed by what belongs to no part', async () => {
    expect(await read(`preamble\r\n${aForm('text')}${'epilogue'.repeat(10_000)}`, 5_000)).toEqual({
      filename: 'a.txt',
      text: 'text',
    })
  })
  test('has the name it was given, as it is written, with the codes browsers put for what cannot stand in quotes', async () => {
    expect((await read(aForm('', '照片/../a%22b%0D%0Ac 100%25.png'))).filename).toBe('照片/../a%22b%0D%0Ac 100%25.png')
  })
  test('is not fetched before somebody reads it, and not for longer than somebody does', async () => {
    let fetched = 0
    const body = Readable.from(
      (function* () {
        yield Buffer.from(headFor('form-data; name="file"; filename="large"'))
        for (; ; fetched++) yield Buffer.alloc(10_000)
      })(),
    )
    const { content } = await fileOfForm(body, TYPE)
    await until(() => expect(body.isPaused()).toBe(true))
    expect(fetched).toBeLessThan(50)
    for await (const _piece of content) if (fetched > 200) break
    await until(() => expect(body.isPaused()).toBe(true))
    expect(fetched).toBeLessThan(300)
    expect(body.destroyed).toBe(false)
  })
  test('fails as what brings it does', async () => {
    const body = new Readable({ read() {} })
    body.push(`${headFor('form-data; name="file"; filename="a"')}some`)
    const { content } = await fileOfForm(body, TYPE)
    body.destroy(new Error('cable cut'))
    await expect(buffer(content)).rejects.toThrow('cable cut')
  })
})

describe('a form that is refused', () => {
  test.each([
    ['that is empty', '', 'body: Not a whole form'],
    ['without parts', `--${BOUNDARY}--\r\n`, 'body.file: No file'],
    ['with another boundary', aForm('x').replaceAll(BOUNDARY, 'else'), 'body: Not a whole form'],
    ['with a text in place of the file', `${headFor('form-data; name="file"')}text${TAIL}`, 'body.file: No file'],
    ['with a file that was not chosen', aForm('', ''), 'body.file: No file'],
    [
      'with a file of another field',
      `${headFor('form-data; name="other"; filename="a"')}x${TAIL}`,
      'body.file: No file',
    ],
    ['with a head without end', `--${BOUNDARY}\r\n${'x'.repeat(10_000)}`, 'body: Not a whole form'],
    ['with a second part', aForm('one').replace(TAIL, '') + '\r\n' + aForm('two'), 'body: More than one file'],
    [
      'with a text after the file',
      `${aForm('one').replace(TAIL, '')}\r\n${headFor('form-data; name="more"')}text${TAIL}`,
      'body: More than one file',
    ],
    ['that ends in the midst', aForm('one').replace(TAIL, ''), 'body: Not a whole form'],
    ['that ends in the midst of its last delimiter', aForm('one').slice(0, -4), 'body: Not a whole form'],
  ])('is one %s', async (_what, form, fault) => {
    expect(await faultOf(form)).toBe(fault)
    expect(await faultOf(form, 1)).toBe(fault)
  })
  test('is so also when nobody was reading as it broke off', async () => {
    const body = arriving(aForm('one').replace(TAIL, ''))
    const { content } = await fileOfForm(body, TYPE)
    await finished(body)
    await new Promise(setImmediate)
    await expect(buffer(content)).rejects.toMatchObject({ detail: [{ msg: 'Not a whole form' }] })
  })
})
