import { describe, expect, test } from 'vitest'
import { type Random, randomFrom } from '#testing/random.ts'
import { chatAnswerToMessages, chatToMessages } from './chatToMessages.ts'
import { chatAnswerToResponses, chatToResponses } from './chatToResponses.ts'
import { randomStream, type RandomStream } from './chatStreams.testing.ts'
import { type ReadAnswer, readMessageEvents, readResponseEvents } from './eventOrder.testing.ts'
import type { StreamTranslator } from './translated.ts'

const COMMON = { id: 'x1', model: 'asked-model', tools: new Map(), input_tokens: 12 }
const MESSAGES = { ...COMMON, thinks: true }
const RESPONSES = { ...COMMON, created_at: 1_800_000_000, request: {}, sequence_number: 3 }
const RUNS = 80

const DIALECTS = [
  {
    name: 'messages',
    open: () => chatToMessages(MESSAGES),
    read: readMessageEvents,
    kinds: { thoughts: 'thinking', text: 'text', refusal: 'text', call: 'tool_use' },
    failed: 'error',
  },
  {
    name: 'responses',
    open: () => chatToResponses(RESPONSES),
    read: (events: Parameters<typeof readResponseEvents>[0]) => readResponseEvents(events, RESPONSES.sequence_number),
    kinds: { thoughts: 'summary_text', text: 'output_text', refusal: 'refusal', call: 'function_call' },
    failed: 'response.failed',
  },
]

const textIn = ({ blocks }: ReadAnswer, kind: string): string =>
  blocks.flatMap(block => (block.kind === kind ? [block.text] : [])).join('')

/** Everything of a stream, and what comes behind its end, which is nothing. */
const all = (translator: StreamTranslator, chunks: readonly unknown[]) => [
  ...chunks.flatMap(translator.push),
  ...translator.end(),
  ...translator.end(),
  ...translator.push({ choices: [{ delta: { content: 'late' } }] }),
  ...translator.fail({ message: 'late', code: null }),
]

function everyStream(check: (stream: RandomStream, random: Random) => void): void {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const random = randomFrom(seed)
    const stream = randomStream(random)
    try {
      check(stream, random)
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(stream.chunks)}`, { cause: error })
    }
  }
}

describe.each(DIALECTS)('a chat as $name', ({ open, read, kinds, failed }) => {
  test('has one start, blocks in order with deltas of their type, and one end', () => {
    everyStream(stream => {
      const answer = read(all(open(), stream.chunks))
      const isFiltered = stream.finish === 'content_filter' && failed === 'response.failed'
      expect(answer.end === failed).toBe(isFiltered)
    })
  })
  test('says all that the upstream said, each call by itself', () => {
    everyStream(stream => {
      const answer = read(all(open(), stream.chunks))
      const { text, refusal, thoughts } = stream
      const expected = kinds.text === kinds.refusal ? text + refusal : text
      expect(textIn(answer, kinds.text)).toBe(expected)
      if (kinds.text !== kinds.refusal) expect(textIn(answer, kinds.refusal)).toBe(refusal)
      expect(textIn(answer, kinds.thoughts)).toBe(thoughts)
      const calls = answer.blocks.filter(({ kind }) => kind === kinds.call)
      expect(calls.map(call => [call.name, call.text]).toSorted()).toEqual(
        stream.calls.map(call => [call.name, call.arguments]),
      )
    })
  })
  test('that is cut ends with an error, wherever it is cut', () => {
    everyStream((stream, random) => {
      const finishAt = stream.chunks.findIndex(({ choices }) => JSON.stringify(choices).includes(`"${stream.finish}"`))
      const cut = stream.chunks.slice(0, random.below(finishAt + 1))
      expect(read(all(open(), cut)).end).toBe(failed)
    })
  })
  test('that fails ends with what is wrong, wherever it fails', () => {
    everyStream((stream, random) => {
      const before = stream.chunks.slice(0, random.below(stream.chunks.length))
      const error = { error: { message: 'Too busy', type: 'server_error', code: 'overloaded' } }
      const events = all(open(), [...before, error, ...stream.chunks])
      expect(read(events).end).toBe(failed)
      expect(JSON.stringify(events.at(-1))).toContain('Too busy')
    })
  })
  test('that is stopped by the portal ends with its words, before the upstream said anything too', () => {
    everyStream((stream, random) => {
      const translator = open()
      const before = stream.chunks.slice(0, random.below(3)).flatMap(translator.push)
      const events = [...before, ...translator.fail({ message: 'This key was revoked', code: 'invalid_api_key' })]
      expect(read([...events, ...translator.end()]).end).toBe(failed)
      expect(JSON.stringify(events.at(-1))).toContain('This key was revoked')
    })
  })
  test('of anything at all never throws', () => {
    const odd = [null, 3, 'x', [], {}, { choices: [null] }, { choices: [{ delta: 3 }] }, { choices: [[], 4] }]
    const calls = [null, 3, {}, { function: null }, { index: 'a', function: { name: 3, arguments: 4 } }]
    const chunks = [...odd, ...calls.map(each => ({ choices: [{ delta: { tool_calls: [each] } }] }))]
    expect(read(all(open(), chunks)).end).toBe(failed)
  })
})

describe('a whole answer', () => {
  const wholeOf = ({ thoughts, text, refusal, calls, finish, usage }: RandomStream) => ({
    choices: [
      {
        message: {
          ...{ role: 'assistant', content: text || null, reasoning_content: thoughts },
          ...{ refusal: refusal || null },
          tool_calls: calls.map(({ id, name, ...rest }) => ({ id, type: 'function', function: { name, ...rest } })),
        },
        finish_reason: finish,
      },
    ],
    usage,
  })

  test('as a message says what the stream of it says', () => {
    everyStream(stream => {
      const whole = chatAnswerToMessages(wholeOf(stream), MESSAGES)
      const streamed = readMessageEvents(all(chatToMessages(MESSAGES), stream.chunks))
      if ('error' in whole) throw new Error(whole.error.message)
      const { content, stop_reason, usage } = whole.answer
      const blocks = (content as Record<string, unknown>[]).map(({ type, text, thinking, name, input }) => [
        type,
        name ?? '',
        text ?? thinking ?? input,
      ])
      expect(blocks.map(([type, name]) => [type, name]).toSorted()).toEqual(
        streamed.blocks.map(({ kind, name }) => [kind, name]).toSorted(),
      )
      expect({ delta: { stop_reason, stop_sequence: null }, usage }).toEqual({
        delta: streamed.last['delta'],
        usage: streamed.last['usage'],
      })
    })
  })
  test('as a response is what the stream of it ends with', () => {
    everyStream(stream => {
      const whole = chatAnswerToResponses(wholeOf(stream), RESPONSES)
      const streamed = readResponseEvents(all(chatToResponses(RESPONSES), stream.chunks), RESPONSES.sequence_number)
      if ('error' in whole) return expect(streamed.last['error']).toEqual(whole.error)
      const { output, usage, status } = whole.answer
      expect([status, usage]).toEqual([streamed.last['status'], streamed.last['usage']])
      expect((output as unknown[]).length).toBe((streamed.last['output'] as unknown[]).length)
    })
  })
  test('that is an error, or is none, is said as one', () => {
    const error = { error: { message: 'Out of memory', code: 'oom' } }
    expect(chatAnswerToMessages(error, MESSAGES)).toEqual({ error: { message: 'Out of memory', code: 'oom' } })
    expect(chatAnswerToResponses(error, RESPONSES)).toEqual({ error: { message: 'Out of memory', code: 'oom' } })
    expect(chatAnswerToMessages({}, MESSAGES)).toHaveProperty('error')
    expect(chatAnswerToResponses('<html>', RESPONSES)).toHaveProperty('error')
  })
})
