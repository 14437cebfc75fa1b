import { describe, expect, test } from 'vitest'
import { MAX_FILE_TEXT } from '#contract/ownFiles.ts'
import type { ArrivingPart } from '#server/foundation/http/parts.ts'
import { readForm } from './form.ts'
import type { WrittenFile } from './writing.ts'

type Field = [field: string, content: string | Buffer, filename?: string]

async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
}
async function* arriving(fields: readonly Field[]): AsyncGenerator<ArrivingPart> {
  for (const [field, content, filename = ''] of fields)
    yield { field, filename, content: inPieces(Buffer.from(content)) } as ArrivingPart
}

/** Reads a form; `written` are the names under which its files went to the disk. */
async function read(fields: readonly Field[], size: Partial<WrittenFile> = {}) {
  const written: [name: string, max_bytes: number | undefined][] = []
  const form = await readForm(arriving(fields), async (name, content, max_bytes) => {
    written.push([name, max_bytes])
    let bytes = 0
    for await (const piece of content) bytes += piece.length
    const file = { content_type: 'text/plain', width: null, height: null, storage_path: name, content_hash: 'h' }
    return { ...file, size: bytes, ...size }
  })
  return { form, written }
}

const FILE: Field = ['file', 'abc', 'plan.pdf']
const refused = (...fields: readonly Field[]) => read(fields).catch((error: unknown) => error)

describe('the form of a file', () => {
  test('has its fields in any order', async () => {
    const fields: Field[] = [['pages', '3'], ['text', 'one\ftwo\fthree'], FILE, ['thumbnail', 'small', 'evil.html']]
    for (const order of [fields, fields.toReversed()]) {
      const { form, written } = await read(order)
      expect(form).toMatchObject({ name: 'plan.pdf', text: 'one\ftwo\fthree', page_count: 3, file: { size: 3 } })
      expect(written).toContainEqual(['plan.pdf', undefined])
      // Called by us, so that it has to be a picture, and a small one.
      expect(written).toContainEqual(['thumbnail.png', 256 * 1024])
    }
  })
  test('needs nothing but the file', async () => {
    expect((await read([FILE])).form).toEqual({
      ...{ name: 'plan.pdf', thumbnail: null, text: null, page_count: null },
      file: expect.objectContaining({ size: 3, width: null, height: null }),
    })
  })
  test('names the field that it lacks, has twice or does not know', async () => {
    expect(await refused(['text', 'abc'])).toMatchObject({ detail: [{ loc: ['body', 'file'] }] })
    for (const field of ['file', 'text', 'pages', 'thumbnail'])
      expect(await refused(FILE, [field, '1'], [field, '1']), field).toMatchObject({
        detail: [{ loc: ['body', field] }],
      })
    for (const field of ['files', '__proto__', 'constructor', ''])
      expect(await refused(FILE, [field, '1']), field).toMatchObject({ detail: [{ loc: ['body', field] }] })
  })
  test('has a name that is no path, on no system', async () => {
    for (const [given, name] of [
      ['../../../etc/passwd', 'passwd'],
      ['C:\\Users\\a\\plan.pdf', 'plan.pdf'],
      ['a\r\nset-cookie: x.txt', 'aset-cookie: x.txt'],
      ['\u2067exe.\u202Etxt', 'exe.txt'],
      ['', 'file'],
    ] as const)
      expect((await read([['file', 'x', given]])).form.name).toBe(name)
  })
})

describe('what a browser has read in a file', () => {
  test('is kept as text that a database takes, and not at all where it is nothing to read', async () => {
    const textOf = async (text: string | Buffer) => (await read([FILE, ['text', text]])).form.text
    expect(await textOf('a\0b')).toBe('a\uFFFDb')
    expect(await textOf(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\uFFFDb')
    for (const blank of ['', ' \n\t', '\f\f', '\u200B']) expect(await textOf(blank), JSON.stringify(blank)).toBe(null)
  })
  test('is bounded in letters of any script, and in bytes before it is all here', async () => {
    expect((await read([FILE, ['text', '早'.repeat(MAX_FILE_TEXT)]])).form.text).toHaveLength(MAX_FILE_TEXT)
    for (const text of ['x'.repeat(MAX_FILE_TEXT + 1), '早'.repeat(MAX_FILE_TEXT + 1)])
      expect(await refused(FILE, ['text', text])).toMatchObject({ key: 'fileTooLarge' })
  })
  test('has no fewer pages than its text, and no more than are read', async () => {
    const pagesOf = async (text: string, pages?: string) =>
      (await read([FILE, ['text', text], ...(pages === undefined ? [] : [['pages', pages] as Field])])).form.page_count
    expect(await pagesOf('one')).toBe(null)
    expect(await pagesOf('one', '1')).toBe(1)
    expect(await pagesOf('one\ftwo')).toBe(2)
    expect(await pagesOf('one\ftwo\fthree', '2')).toBe(3)
    expect(await pagesOf('one\ftwo', '5000')).toBe(5_000)
    expect(await refused(FILE, ['text', '\f'.repeat(5_000)])).toMatchObject({ detail: [{ loc: ['body', 'text'] }] })
  })
  test.each(['0', '-1', '1.5', '1e3', '5001', '９', ' 3', '0x3', '9999999'])(
    'has a number of pages that is one: %j',
    async pages => {
      expect(await refused(FILE, ['pages', pages])).toMatchObject({ detail: [{ loc: ['body', 'pages'] }] })
    },
  )
  test('does not say how large a picture is where the picture says so itself', async () => {
    const said: Field[] = [FILE, ['width', '4'], ['height', '3']]
    expect((await read(said)).form.file).toMatchObject({ width: 4, height: 3 })
    expect((await read(said, { width: 640, height: 480 })).form.file).toMatchObject({ width: 640, height: 480 })
    expect(await refused(FILE, ['width', '100001'])).toMatchObject({ detail: [{ loc: ['body', 'width'] }] })
  })
})
