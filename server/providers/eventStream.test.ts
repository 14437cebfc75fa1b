import { describe, expect, test } from 'vitest'
import { eventReader } from './eventStream.ts'

function read(...pieces: (string | Uint8Array)[]): string[] {
  const reader = eventReader()
  const events = pieces.flatMap(piece =>
    reader.take(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
  )
  return [...events, ...reader.end()]
}

describe('an event stream', () => {
  test('gives the data of each event, as many as arrive together', () => {
    expect(read('data: 1\n\ndata: 2\n\n', 'data: 3\n\ndata: [DONE]\n\n')).toEqual(['1', '2', '3'])
  })
  test('may be cut anywhere, also inside a character', () => {
    const bytes = new TextEncoder().encode('data: 你好，世界\n\ndata: [DONE]\n\n')
    for (let cut = 1; cut < bytes.length; cut++)
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(['你好，世界'])
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
    expect(() => read(`data: ${'x'.repeat(600_000)}`, 'x'.repeat(600_000))).toThrow(
      expect.objectContaining({ key: 'openai.unknown' }),
    )
    expect(() => read(`data: ${'x'.repeat(1_100_000)}\n\n`)).toThrow(expect.objectContaining({ key: 'openai.unknown' }))
  })
  test('with an event of a megabyte is refused, in as many lines as it comes', () => {
    const line = `data: ${'x'.repeat(60_000)}\n`
    expect(read(...Array<string>(15).fill(line))[0]).toHaveLength(15 * 60_001 - 1)
    expect(() => read(...Array<string>(20).fill(line))).toThrow(
      expect.objectContaining({ key: 'openai.unknown', values: { reason: 'line' } }),
    )
  })
  test('may end its lines with CR alone, however many there are', () => {
    const many = Array.from({ length: 200 }, (_, at) => `data: ${at}${'x'.repeat(10_000)}\r\r`)
    expect(read(...many)).toHaveLength(200)
  })

  test('may part its events by single line ends; what is written over several lines is one event all the same', () => {
    expect(read('data: {"a":1}\ndata: {"b":2}\n', 'data: {"c":3}\ndata: [DONE]\n')).toEqual([
      '{"a":1}',
      '{"b":2}',
      '{"c":3}',
    ])
    expect(read('data: {"a":\ndata: {"b":2}\n', 'data: }\n\n')).toEqual(['{"a":\n{"b":2}\n}'])
    expect(read('data: {"a":1}\r', '\ndata: {"b":2}\r\n')).toEqual(['{"a":1}', '{"b":2}'])
    expect(read('data: plain\ndata: words\n\n')).toEqual(['plain\nwords'])
  })
  test('gives an event at once whose empty line has not come yet', () => {
    const reader = eventReader()
    expect(reader.take(Buffer.from('data: {"a":1}\n'))).toEqual(['{"a":1}'])
    expect(reader.take(Buffer.from('\ndata: {"b"'))).toEqual([])
    expect(reader.take(Buffer.from(':2}\n\n'))).toEqual(['{"b":2}'])
  })
  test('may have JSON in it without a name for it', () => {
    expect(read('data: {"a":1}\n\n{"error":{}}\n')).toEqual(['{"a":1}', '{"error":{}}'])
  })
  test.each([
    ['event: error\ndata: {"code":"x"}\n\n', '{"code":"x"}'],
    ['event:error\ndata:plain words\n\n', 'plain words'],
    ['error: plain words\n\n', 'plain words'],
    ['data: {"code":"x"}\nevent: error\n\n', ''],
    ['event: Error\n\n', ''],
    ['error:{"a":1}\n', '{"a":1}'],
  ])('says with an event or a line that something went wrong, and nothing more: %j', (text, error) => {
    for (const cut of [0, 3, 9, text.length]) {
      const reader = eventReader()
      reader.take(Buffer.from(`data: {"text":1}\n\n${text.slice(0, cut)}`))
      reader.take(Buffer.from(`${text.slice(cut)}data: {"more":1}\n\n`))
      expect([reader.error(), reader.isDone(), reader.end()]).toEqual([error, true, []])
    }
  })
  test('with a picture in a line may have eight megabytes of it', () => {
    const event = (length: number) => `data: {"url":"data:image/png;base64,${'A'.repeat(length)}"}\n\n`
    const pieces = (text: string) => text.match(/[^]{1,60000}/g) ?? []
    expect(read(...pieces(event(8_000_000)))[0]).toHaveLength(8_000_000 + 32)
    expect(() => read(...pieces(event(9_000_000)))).toThrow(expect.objectContaining({ key: 'openai.unknown' }))
    expect(() => read(event(9_000_000))).toThrow(expect.objectContaining({ key: 'openai.unknown' }))
  })
})

describe('lines that make no event', () => {
  const pieces = (unit: string, bytes: number) => {
    const piece = Buffer.alloc(16_384 - (16_384 % unit.length), unit)
    return Array<Buffer>(Math.ceil(bytes / piece.length)).fill(piece)
  }
  test.each(['data: x\n', 'data: {}}\n', 'data:\n', 'data: "{\n'])(
    'are refused when they are a megabyte of data (%j)',
    unit => {
      expect(() => read('data: {"a":[\n', ...pieces(unit, 20_000_000))).toThrow(
        expect.objectContaining({ key: 'openai.unknown', values: { reason: 'line' } }),
      )
    },
  )
  test('may be an event all the same, when what they open is closed', () => {
    expect(read('data: {"a":"}\\"{",\ndata: "b":[1,\ndata: {}]\ndata: }\ndata: {"c":1}\n')).toEqual([
      '{"a":"}\\"{",\n"b":[1,\n{}]\n}',
      '{"c":1}',
    ])
  })
})

describe('a body that begins like JSON', () => {
  test('is many documents where its first line is one and another follows', () => {
    const reader = eventReader()
    expect(reader.take(Buffer.from('{"a":1}\r\n'))).toEqual([])
    expect(reader.take(Buffer.from('{"b":2}\r\n{"c"'))).toEqual(['{"a":1}', '{"b":2}'])
    expect([reader.take(Buffer.from(':3}\n')), reader.end(), reader.isDocument()]).toEqual([['{"c":3}'], [], false])
  })
  test('is one document, whatever is in it', () => {
    const reader = eventReader()
    expect(reader.take(Buffer.from(' \n{"choices":[],\n\n'))).toEqual([])
    expect(reader.isDocument()).toBe(true)
    reader.take(Buffer.from('"a":"data: x"}'))
    expect([reader.end(), reader.document()]).toEqual([[], ' \n{"choices":[],\n\n"a":"data: x"}'])
  })
  test('is refused where it is longer than an answer may be', () => {
    const reader = eventReader({ most_of_document: 1_000 })
    expect(() => reader.take(Buffer.from(`{${'x'.repeat(1_000)}`))).toThrow(
      expect.objectContaining({ key: 'openai.unknown' }),
    )
  })
})
