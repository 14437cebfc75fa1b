import { describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { wholeBlocks } from '#web/messages/markdown/parseWhole.ts'
import { prepareHistory } from './prepareTurns.ts'

function aMessage(id: string, parent: string | null, role: Message['role'], text: string): Message {
  return {
    id,
    source: 'openai_api',
    role,
    author_name: null,
    model: null,
    create_time: null,
    parent,
    children: [],
    content: { content_type: 'text', text },
    metadata: null,
  }
}

describe('a history that is read', () => {
  test('is the same when its end has been parsed', async () => {
    vi.stubGlobal('innerHeight', 400)
    const messages = [
      aMessage('q', null, 'user', 'Q'),
      aMessage('a', 'q', 'assistant', 'An **answer** that nobody else gives'),
    ]
    const history = { mapping: Object.fromEntries(messages.map(message => [message.id, message])), current_node: 'a' }
    expect(await prepareHistory(history)).toBe(history)
    const known = wholeBlocks('An **answer** that nobody else gives')
    expect(wholeBlocks('An **answer** that nobody else gives')).toBe(known)
    vi.unstubAllGlobals()
  })

  test('may be empty', async () => {
    vi.stubGlobal('innerHeight', 400)
    const history = { mapping: {}, current_node: null }
    expect(await prepareHistory(history)).toBe(history)
    vi.unstubAllGlobals()
  })
})
