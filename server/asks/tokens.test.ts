import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { estimatedTokens, tokensOf } from './logStore.ts'

const message = (fields: Partial<Message>) => aMessage({ content: words('Hello there.'), ...fields })

describe('the tokens of an ask', () => {
  const usage = { prompt_tokens: 8, completion_tokens: 3 }

  test('are those that the upstream reported', () => {
    const answer = [message({ metadata: { source: 'openai_api', usage, finish_reason: 'stop' } })]
    expect(tokensOf(answer, null)).toEqual({ ...usage, tokens_estimated: false, cached_tokens: null })
  })
  test('are said with what of the question the upstream had kept', () => {
    const metadata = { source: 'openai_api' as const, usage: { ...usage, cached_tokens: 6 }, finish_reason: 'stop' }
    expect(tokensOf([message({ metadata })], null)).toMatchObject({ prompt_tokens: 8, cached_tokens: 6 })
  })
  test('are estimated from the texts where it reported none, thoughts included, and marked so', () => {
    const thoughts = message({ content: { content_type: 'thoughts', text: 'x'.repeat(40), seconds: null } })
    const repeated = message({ role: 'user', content: { content_type: 'text', text: 'x'.repeat(400) } })
    expect(tokensOf([repeated, thoughts, message({})], [message({ role: 'user' })])).toEqual({
      prompt_tokens: 3,
      completion_tokens: 13,
      tokens_estimated: true,
      cached_tokens: null,
    })
    expect(tokensOf([message({})], null)).toMatchObject({ prompt_tokens: null, completion_tokens: 3 })
  })
  test('are estimated of what went with the questions too', () => {
    const attachments = [{ id: 'a', name: 'a.png', as: 'picture' as const, width: 1024, height: 1024 }]
    const asked = message({ role: 'user', metadata: { source: 'openai_api', attachments } })
    expect(tokensOf([message({ model: 'gpt-4o' })], [asked])).toMatchObject({ prompt_tokens: 768 })
  })
  test('are about one for a Han character, and for four Latin letters', () => {
    expect(estimatedTokens('')).toBe(0)
    expect(estimatedTokens('abcdefgh')).toBe(2)
    expect(estimatedTokens('外婆的体检报告')).toBe(7)
    expect(estimatedTokens('a'.repeat(1_000_000))).toBe(250_000)
  })
})
