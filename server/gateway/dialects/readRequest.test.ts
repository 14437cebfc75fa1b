import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { inputTokens, readToolRequest } from './readRequest.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]
const CHAT = { model: 'gpt-4', messages: MESSAGES }
const RESPONSES = { model: 'gpt-4', input: 'Hi' }
const CLAUDE = { model: 'claude', max_tokens: 100, messages: MESSAGES }

const read = (dialect: Dialect, body: unknown, headers = {}) => readToolRequest(dialect, body, headers)

function wrongField(dialect: Dialect, body: unknown): string {
  try {
    read(dialect, body)
  } catch (error) {
    if (error instanceof Refusal) return error.detail?.[0]?.loc.join('.') ?? error.key
    throw error
  }
  return 'nothing'
}

describe('of a request is read', () => {
  test.each([
    ['chat', CHAT, null],
    ['chat', { ...CHAT, max_tokens: 50 }, 50],
    ['chat', { ...CHAT, max_tokens: 50, max_completion_tokens: 60 }, 60],
    ['responses', { ...RESPONSES, max_output_tokens: 70 }, 70],
    ['messages', CLAUDE, 100],
  ] as const)('in %s how much it asks for at most', (dialect, body, most) => {
    expect(read(dialect, body)).toMatchObject({ dialect, model: body.model, streamed: false, max_output: most })
  })
  test('whether it is streamed', () => {
    expect(read('chat', { ...CHAT, stream: true }).streamed).toBe(true)
    expect(read('chat', { ...CHAT, stream: null }).streamed).toBe(false)
  })
  test('the rest as it came, and nothing is kept at the provider', () => {
    const body = { ...CHAT, unknown_field: { a: [1] }, temperature: 0.5 }
    expect(read('chat', body).body).toBe(body)
    expect(read('chat', { ...CHAT, store: true }).body).toEqual({ ...CHAT, store: false })
    expect(read('responses', { ...RESPONSES, store: true }).body).toEqual({ ...RESPONSES, store: false })
    expect(read('messages', CLAUDE).body).toBe(CLAUDE)
  })
  test.each([
    ['chat', null, 'body'],
    ['chat', [], 'body'],
    ['chat', { messages: MESSAGES }, 'body.model'],
    ['chat', { ...CHAT, model: '' }, 'body.model'],
    ['chat', { ...CHAT, model: 'x'.repeat(201) }, 'body.model'],
    ['chat', { ...CHAT, stream: 'yes' }, 'body.stream'],
    ['chat', { model: 'gpt-4' }, 'body.messages'],
    ['chat', { ...CHAT, messages: [] }, 'body.messages'],
    ['chat', { ...CHAT, max_tokens: -1 }, 'body.max_tokens'],
    ['chat', { ...CHAT, max_tokens: 1.5 }, 'body.max_tokens'],
    ['chat', { ...CHAT, max_completion_tokens: 'many' }, 'body.max_completion_tokens'],
    ['responses', { model: 'gpt-4' }, 'body.input'],
    ['responses', { model: 'gpt-4', input: '' }, 'body.input'],
    ['messages', { model: 'claude', messages: 'Hi' }, 'body.messages'],
  ] as const)('in %s nothing of %j: %s is wrong', (dialect, body, field) => {
    expect(wrongField(dialect, body)).toBe(field)
  })
})

describe('what is sent is counted', () => {
  test('by its texts, whatever they stand in', () => {
    const long = 'word '.repeat(1000)
    expect(inputTokens({ messages: [{ content: long }] })).toBeGreaterThan(1000)
    expect(inputTokens({ a: null, b: 1, c: true, d: [] })).toBeLessThan(10)
  })
  test('a picture as a picture, however many bytes it has', () => {
    expect(inputTokens({ url: `data:image/png;base64,${'A'.repeat(1_000_000)}` })).toBeLessThan(2_000)
    expect(inputTokens({ data: 'A'.repeat(1_000_000) })).toBeLessThan(2_000)
  })
})

describe('a conversation', () => {
  const key = (body: object, headers = {}) => read('chat', { ...CHAT, ...body }, headers).conversation
  const more = [...MESSAGES, { role: 'assistant', content: 'Hello' }]

  test('is known by the name that its tool gives it', () => {
    const headers = { 'session-id': 'one' }
    expect(key({}, headers)).toBe(key({ messages: more }, headers))
    expect(key({}, headers)).not.toBe(key({}, { 'session-id': 'two' }))
    expect(key({}, { 'x-claude-code-session-id': 'one' })).toBe(key({}, headers))
    expect(key({ prompt_cache_key: 'one' })).toBe(key({}, headers))
  })
  test('else by what it begins with', () => {
    const third = [...more, { role: 'user', content: 'And?' }]
    expect([key({ messages: more }), key({ messages: third })]).toEqual([key({}), key({})])
    expect(key({ messages: more })).not.toBe(key({ messages: [{ role: 'user', content: 'Other' }, ...more] }))
  })
})
