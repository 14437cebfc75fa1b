import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { fromUpstream, toUpstream } from './messages.ts'

function message(role: Message['role'], content: Message['content']): Message {
  return { id: 'm', source: 'openai_api', role, author_name: null, model: null, create_time: null, parent: null, children: [], content, metadata: null }
}

describe('a thread on its way to the endpoint', () => {
  test('keeps roles and text', () => {
    expect(toUpstream([message('user', { content_type: 'text', text: '你好' }), message('assistant', { content_type: 'text', parts: ['Hi', '!'] })]))
      .toEqual([{ role: 'user', content: '你好' }, { role: 'assistant', content: 'Hi!' }])
  })
  test('leaves out what has no text', () => {
    expect(toUpstream([message('assistant', null), message('user', { content_type: 'text', text: '' })])).toEqual([])
  })
})

describe('an event of the endpoint', () => {
  test('adds the text of its first choice', () => {
    expect(fromUpstream('{"choices":[{"delta":{"content":"a"},"finish_reason":null}]}')).toMatchObject({ text: 'a', finish_reason: null })
  })
  test('may have null content, no delta or no choices', () => {
    for (const event of ['{"choices":[{"delta":{"role":"assistant","content":null}}]}', '{"choices":[{}]}', '{"choices":[]}', '{}']) {
      expect(fromUpstream(event)).toMatchObject({ text: '', failed: false })
    }
  })
  test('may bring nothing but the usage', () => {
    expect(fromUpstream('{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}'))
      .toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 4 } })
  })
  test('that is not JSON, or not of this protocol, is passed over', () => {
    for (const event of ['', 'hello', '[1]', '"text"', 'null', '{"choices":"no"}']) expect(fromUpstream(event)).toBe(null)
  })
  test('may say that the answer broke off', () => {
    expect(fromUpstream('{"error":{"message":"secret words of the upstream"}}')).toMatchObject({ failed: true })
  })
})
