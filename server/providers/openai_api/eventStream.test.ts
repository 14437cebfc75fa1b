import { describe, expect, test } from 'vitest'
import { eventReader } from './eventStream.ts'

function read(...pieces: (string | Uint8Array)[]): string[] {
  const reader = eventReader()
  const events = pieces.flatMap(piece => reader.take(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece))
  return [...events, ...reader.end()]
}

describe('an event stream', () => {
  test('gives the data of each event, as many as arrive together', () => {
    expect(read('data: 1\n\ndata: 2\n\n', 'data: 3\n\ndata: [DONE]\n\n')).toEqual(['1', '2', '3'])
  })
  test('may be cut anywhere, also inside a character', () => {
    const bytes = new TextEncoder().encode('data: 你好，世界\n\ndata: [DONE]\n\n')
    for (let cut = 1; cut < bytes.length; cut++) expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(['你好，世界'])
  })
  test('may use CR LF and comments', () => {
    expect(read(': keep-alive\r\n\r\ndata: 1\r\n\r\n: still here\r\ndata: [DONE]\r\n\r\n')).toEqual(['1'])
  })
  test('ends at [DONE] only when it is the whole of the data', () => {
    expect(read('data: {"a":"[DONE]"}\n\ndata: x\n\n')).toEqual(['{"a":"[DONE]"}', 'x'])
  })
  test('may end without [DONE], and without the last empty line', () => {
    expect(read('data: 1\n\ndata: 2')).toEqual(['1', '2'])
  })
  test('with a line of a megabyte is refused', () => {
    expect(() => read(`data: ${'x'.repeat(600_000)}`, 'x'.repeat(600_000))).toThrow(expect.objectContaining({ key: 'openai.unknown' }))
    expect(() => read(`data: ${'x'.repeat(1_100_000)}\n\n`)).toThrow(expect.objectContaining({ key: 'openai.unknown' }))
  })
  test('with an event of a megabyte is refused, in as many lines as it comes', () => {
    const line = `data: ${'x'.repeat(60_000)}\n`
    expect(read(...Array<string>(15).fill(line))[0]).toHaveLength(15 * 60_001 - 1)
    expect(() => read(...Array<string>(20).fill(line))).toThrow(expect.objectContaining({ key: 'openai.unknown', values: { reason: 'line' } }))
  })
  test('may end its lines with CR alone, however many there are', () => {
    const many = Array.from({ length: 200 }, (_, at) => `data: ${at}${'x'.repeat(10_000)}\r\r`)
    expect(read(...many)).toHaveLength(200)
  })
})
