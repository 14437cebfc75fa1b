import { describe, expect, test } from 'vitest'
import { aMessage, anAsk } from '../builders.testing.ts'
import { dropFeeds, feedOf, withGrownText, writeFeed } from './feeds.ts'

const ask = anAsk({ ask_id: 'feeds', conversation_id: 'c', state: { phase: 'replying' } })
const began = (id: string, text = '') =>
  ({
    n: 1,
    type: 'message',
    message: aMessage({ id, role: 'assistant', content: { content_type: 'text', text } }),
  }) as const

describe('a growing text', () => {
  test('takes what is appended, and the whole when it comes', () => {
    writeFeed(ask, began('a', '三'))
    writeFeed(ask, { n: 3, t: '点' })
    expect(feedOf('a')?.text).toBe('三点')
    writeFeed(ask, began('a', '三点半'))
    expect(feedOf('a')?.text).toBe('三点半')
  })
  test('of thoughts is theirs, and they stay thoughts', () => {
    const thoughts = (text: string, seconds: number | null) =>
      aMessage({ id: 't', role: 'assistant', content: { content_type: 'thoughts', text, seconds } })
    writeFeed(ask, { n: 1, type: 'message', message: thoughts('', null) })
    writeFeed(ask, { n: 2, t: '嗯' })
    expect(feedOf('t')?.text).toBe('嗯')
    expect(withGrownText({ ...ask, replies: [thoughts('', null)] }).replies[0]?.content).toEqual({
      content_type: 'thoughts',
      text: '嗯',
      seconds: null,
    })
    writeFeed(ask, { n: 3, type: 'message', message: thoughts('嗯', 2) })
    expect(feedOf('t')?.text).toBe('嗯')
  })
  test('belongs to the latest message; the one before it is finished', () => {
    writeFeed(ask, began('b'))
    writeFeed(ask, began('c'))
    writeFeed(ask, { n: 3, t: '后' })
    expect([feedOf('b')?.done, feedOf('b')?.text, feedOf('c')?.text]).toEqual([true, '', '后'])
  })
  test('is finished with its ask', () => {
    writeFeed(ask, began('d'))
    expect(feedOf('d')?.done).toBe(false)
    writeFeed(ask, { type: 'finished', outcome: 'finished', charged: true })
    expect(feedOf('d')?.done).toBe(true)
  })
  test('is what was stored of its message, once the ask has ended', () => {
    writeFeed(ask, began('g', '三'))
    const { message } = began('g', '三点半')
    writeFeed(ask, { type: 'finished', outcome: 'finished', charged: true, messages: [message] })
    expect([feedOf('g')?.text, feedOf('g')?.done]).toEqual(['三点半', true])
    expect(withGrownText({ ...ask, replies: [message] }).replies).toEqual([message])
  })
  test('is finished by a refusal as well', () => {
    writeFeed(ask, began('e'))
    writeFeed(ask, { type: 'error', tip: 'errors.openai.500', values: null, charged: false })
    expect(feedOf('e')?.done).toBe(true)
  })
  test('is not made of a question that the upstream repeats', () => {
    writeFeed(ask, { n: 1, type: 'message', message: aMessage({ id: 'q', role: 'user' }) })
    expect(feedOf('q')).toBeUndefined()
  })
  test('is forgotten when it is finished and another conversation is opened', () => {
    writeFeed(ask, began('f'))
    dropFeeds('other')
    expect(feedOf('f')).toBeDefined()
    writeFeed(ask, { type: 'finished', outcome: 'stopped', charged: true })
    dropFeeds('c')
    expect(feedOf('f')).toBeDefined()
    dropFeeds('other')
    expect(feedOf('f')).toBeUndefined()
  })
})
