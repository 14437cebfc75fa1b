import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { type ArrivingPart, partsOf } from './parts.ts'

const TYPE = 'multipart/form-data; boundary=edge'
const part = (head: string, content: string) =>
  `--edge\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const FILE = part('name="file"; filename="a.txt"', 'hello')
const TEXT = part('name="text"', '早')

/** The parts of a form that comes in small pieces, as far as they come. */
async function read(
  form: string,
  take: (part: ArrivingPart) => Promise<unknown> = ({ content }) => text(Readable.from(content)),
) {
  const pieces = Buffer.from(form)
  const body = Readable.from(
    Array.from({ length: Math.ceil(pieces.length / 7) }, (_, at) => pieces.subarray(at * 7, at * 7 + 7)),
  )
  const parts: unknown[] = []
  try {
    for await (const arrived of partsOf(body, TYPE)) parts.push([arrived.field, arrived.filename, await take(arrived)])
    return { parts, error: null }
  } catch (error) {
    return { parts, error: error instanceof Refusal ? error.key : error }
  }
}

describe('the parts of a form', () => {
  test('come one after the other, each as it is sent', async () => {
    expect(await read(`${FILE}${TEXT}--edge--\r\n`)).toEqual({
      parts: [
        ['file', 'a.txt', 'hello'],
        ['text', '', '早'],
      ],
      error: null,
    })
  })
  test('that are not read are passed over', async () => {
    const { parts, error } = await read(`${FILE}${TEXT}--edge--\r\n`, async () => null)
    expect([parts.length, error]).toEqual([2, null])
  })
  test('are not whole where the form ends without its delimiter', async () => {
    for (const form of [FILE, `${FILE}${TEXT}`, '', '--edge', `${FILE}--edge\r\ncontent-disp`])
      expect((await read(form)).error, form).toBe('requestValidationError')
  })
  test('are bounded', async () => {
    expect((await read(`${TEXT.repeat(200)}--edge--\r\n`)).error).toBe('requestValidationError')
  })
  test('fail with their sender, also the one that is read', async () => {
    const body = new Readable({ read() {} })
    body.push(`${FILE}--edge\r\ncontent-disposition: form-data; name="text"\r\n\r\nhalf`)
    const failed = (async () => {
      for await (const { field, content } of partsOf(body, TYPE))
        for await (const _piece of content) if (field === 'text') body.destroy(new Error('gone'))
    })()
    await expect(failed).rejects.toThrow('gone')
  })
  test('are those of a form', () => {
    expect(() => partsOf(Readable.from([]), undefined)).toThrow(Refusal)
  })
})
