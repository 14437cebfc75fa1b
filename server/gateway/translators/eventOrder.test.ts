import { describe, expect, test } from 'vitest'
import { chatToMessages } from './chatToMessages.ts'
import { chatToResponses } from './chatToResponses.ts'
import { readMessageEvents, readResponseEvents } from './eventOrder.testing.ts'
import type { StreamEvent } from './translated.ts'

const COMMON = { id: 'x1', model: 'm', tools: new Map(), input_tokens: 0 }
const CHUNKS = [
  { choices: [{ delta: { content: 'Hi' } }] },
  { choices: [{ delta: { tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{}' } }] } }] },
  { choices: [{ delta: {}, finish_reason: 'stop' }] },
]

const messages = (() => {
  const translator = chatToMessages({ ...COMMON, thinks: false })
  return [...CHUNKS.flatMap(translator.push), ...translator.end()]
})()

const responses = (() => {
  const translator = chatToResponses({ ...COMMON, created_at: 1, request: {}, sequence_number: 0 })
  return [...CHUNKS.flatMap(translator.push), ...translator.end()]
})()

const without = (events: readonly StreamEvent[], at: number) => events.filter((_, index) => index !== at)
const swapped = (events: readonly StreamEvent[], at: number) =>
  events.map((event, index) => events[index === at ? at + 1 : index === at + 1 ? at : index] ?? event)
const numbered = (events: readonly StreamEvent[]): StreamEvent[] =>
  events.map(({ event, data }, sequence_number) => ({ event, data: { ...data, sequence_number } }))

/** Deltas may be left out: a block may be empty. */
const isDelta = ({ event }: StreamEvent): boolean =>
  event?.endsWith('.delta') === true || event === 'content_block_delta'
const positions = (events: readonly StreamEvent[]) => events.map((_, at) => at).filter(at => !isDelta(events[at]!))

describe('the readers of random streams', () => {
  test('accept what is right', () => {
    expect(readMessageEvents(messages).blocks.map(({ text }) => text)).toEqual(['Hi', '{}'])
    expect(readResponseEvents(responses).blocks.map(({ text }) => text)).toEqual(['Hi', '{}'])
  })
  test('miss any event of a message that is not there, is there twice or comes early', () => {
    for (const at of positions(messages)) {
      expect(() => readMessageEvents(without(messages, at)), `without ${at}`).toThrow()
      expect(() => readMessageEvents(messages.toSpliced(at, 0, messages[at]!)), `twice ${at}`).toThrow()
    }
    for (const at of messages.keys().take(messages.length - 1))
      expect(() => readMessageEvents(swapped(messages, at)), `swapped ${at}`).toThrow()
  })
  test('miss any event of a response that is there twice or comes early, and a number that is left out', () => {
    for (const at of positions(responses))
      expect(() => readResponseEvents(numbered(responses.toSpliced(at, 0, responses[at]!))), `twice ${at}`).toThrow()
    for (const at of responses.keys().take(responses.length - 1))
      expect(() => readResponseEvents(numbered(swapped(responses, at))), `swapped ${at}`).toThrow()
    expect(() => readResponseEvents(without(responses, 3))).toThrow()
  })
})
