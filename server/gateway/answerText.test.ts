import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { answerText } from './answerText.ts'

const readOf = (dialect: Dialect, ...said: unknown[]): string => {
  const answer = answerText(dialect)
  said.forEach(answer.take)
  return answer.text()
}

const delta = (given: object) => ({ choices: [{ index: 0, delta: given }] })
const piece = (args: string, more = {}) => delta({ tool_calls: [{ index: 0, function: { arguments: args, ...more } }] })
const item = { type: 'function_call', name: 'look', arguments: '{"at":1}' }
const message = { type: 'message', content: [{ type: 'output_text', text: 'Wait.' }] }
const block = (content_block: object) => ({ type: 'content_block_start', content_block })
const more = (given: object) => ({ type: 'content_block_delta', delta: given })
const SHOWN = 'Wait.\n\n`look {"at":1}`'

describe('an answer that passes', () => {
  test.each<[string, Dialect, unknown[]]>([
    [
      'a chat',
      'chat',
      [delta({ content: 'Wa' }), delta({ content: 'it.' }), piece('{"at"', { name: 'look' }), piece(':1}')],
    ],
    ['a chat as a whole', 'chat', [{ choices: [{ message: { content: 'Wait.', tool_calls: [{ function: item }] } }] }]],
    [
      'a response',
      'responses',
      [
        { type: 'response.output_text.delta', delta: 'Wait.' },
        { type: 'response.output_item.done', item: message },
        { type: 'response.output_item.done', item },
        { type: 'response.completed', response: { output: [message, item] } },
      ],
    ],
    ['a response as a whole', 'responses', [{ output: [message, item] }]],
    [
      'a response at its end alone',
      'responses',
      [{ type: 'response.completed', response: { output: [message, item] } }],
    ],
    [
      'a message',
      'messages',
      [
        ...[block({ type: 'text', text: '' }), more({ type: 'text_delta', text: 'Wait.' })],
        ...[
          block({ type: 'tool_use', name: 'look', input: {} }),
          more({ partial_json: '{"at"' }),
          more({ partial_json: ':1}' }),
        ],
      ],
    ],
    [
      'a message as a whole',
      'messages',
      [
        {
          type: 'message',
          content: [
            { type: 'text', text: 'Wait.' },
            { type: 'tool_use', name: 'look', input: { at: 1 } },
          ],
        },
      ],
    ],
  ])('is read of %s: its text, and calls of tools in short', (_name, dialect, said) => {
    expect(readOf(dialect, ...said)).toBe(SHOWN)
  })
  test('has no thoughts', () => {
    expect(readOf('chat', delta({ reasoning_content: 'Hm' }), delta({ content: 'Yes' }))).toBe('Yes')
    expect(readOf('messages', block({ type: 'thinking', thinking: 'Hm' }), more({ thinking: 'Hm' }))).toBe('')
  })
  test('is cut where it, or what a tool is called with, is very long', () => {
    expect(readOf('chat', delta({ content: 'a'.repeat(300_000) }), delta({ content: 'b' }))).toHaveLength(200_000)
    expect(readOf('chat', piece('`x` '.repeat(1_000), { name: 'look' })).length).toBeLessThan(310)
  })
  test('is nothing of what is no answer', () => {
    for (const dialect of ['chat', 'responses', 'messages'] as const)
      expect(readOf(dialect, null, 1, [], { error: {} }, { type: 'ping' }, { output: 1, choices: 1 })).toBe('')
  })
})
