import { describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { wholeBlocks } from '#web/messages/markdown/parser/parseWhole.ts'
import { prepareHistory } from './prepareTurns.ts'

const said = (id: string, parent: string | null, role: Message['role'], text: string) =>
  aMessage({ id, parent, role, content: words(text) })

describe('a history that is read', () => {
  test('is returned unchanged after its end has been parsed', async () => {
    vi.stubGlobal('innerHeight', 400)
    const messages = [said('q', null, 'user', 'Q'), said('a', 'q', 'assistant', 'An **answer** that nobody else gives')]
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
