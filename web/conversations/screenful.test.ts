import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { Turn } from '#web/messages/turn.ts'
import { screenful } from './screenful.ts'

function aTurn(letters: number, key = 't'): Turn {
  const reply: Message = {
    id: key,
    source: 'openai_api',
    role: 'assistant',
    author_name: null,
    model: null,
    create_time: null,
    parent: null,
    children: [],
    content: { content_type: 'text', text: 'x'.repeat(letters) },
    metadata: null,
  }
  return { key, question: null, replies: [reply] }
}

const many = (letters: number) => Array.from({ length: 100 }, () => aTurn(letters))

describe('a screenful', () => {
  test('is one turn when that is long', () => {
    expect(screenful(many(20_000), 800)).toBe(1)
  })

  test('is several when they are short', () => {
    expect(screenful(many(2), 800)).toBeGreaterThan(4)
    expect(screenful(many(2), 1_600)).toBeGreaterThan(screenful(many(2), 800))
  })

  test('is all there are when they do not fill it', () => {
    expect(screenful([aTurn(2), aTurn(2)], 800)).toBe(2)
    expect(screenful([], 800)).toBe(0)
  })

  test('counts from the end', () => {
    expect(screenful([...many(2), aTurn(20_000)], 800)).toBe(1)
  })
})
