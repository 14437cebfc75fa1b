import { describe, expect, test } from 'vitest'
import { dataOf, eventSplitter } from './events.ts'

/** The events of a stream that comes in pieces of so many bytes. */
function cut(stream: string, bytes: number): { events: string[]; rest: string | null } {
  const splitter = eventSplitter()
  const given = Buffer.from(stream)
  const events: string[] = []
  for (let at = 0; at < given.length; at += bytes)
    events.push(...splitter.take(given.subarray(at, at + bytes)).map(String))
  return { events, rest: splitter.remainder()?.toString() ?? null }
}

const STREAM = 'event: a\ndata: {"text":"你好"}\n\n: comment\n\ndata: x\r\ndata: y\r\n\r\n\ndata: [DONE]\n\n'
const EVENTS = [
  'event: a\ndata: {"text":"你好"}\n\n',
  ': comment\n\n',
  'data: x\r\ndata: y\r\n\r\n',
  '\n',
  'data: [DONE]\n\n',
]

describe('a stream', () => {
  test.each([1, 2, 3, 7, 1_000])('is cut into its events, byte for byte, in pieces of %i bytes', bytes => {
    expect(cut(STREAM, bytes)).toEqual({ events: EVENTS, rest: null })
  })
  test('that ends without a blank line has a rest', () => {
    expect(cut('data: a\n\ndata: b\n', 4)).toEqual({ events: ['data: a\n\n'], rest: 'data: b\n' })
  })
})

describe('the data of an event', () => {
  test('is that of its lines, without names and comments', () => {
    expect(EVENTS.map(event => dataOf(Buffer.from(event)))).toEqual([
      { data: '{"text":"你好"}', is_done: false },
      null,
      { data: 'x\ny', is_done: false },
      null,
      { data: '[DONE]', is_done: true },
    ])
  })
})
