import { describe, expect, test } from 'vitest'
import { openToolConversations } from './conversations.ts'

describe('a conversation of a tool', () => {
  test('is known by its key, as it was answered last', () => {
    const conversations = openToolConversations()
    expect(conversations.find('one')).toBe(null)
    conversations.note('one', 1)
    conversations.note('two', 2)
    conversations.note('one', 3)
    expect([conversations.find('one'), conversations.find('two')]).toEqual([3, 2])
  })
  test('is forgotten when ten thousand younger ones have come', () => {
    const conversations = openToolConversations()
    conversations.note('first', 1)
    conversations.note('kept', 1)
    for (let count = 0; count < 9_998; count++) conversations.note(`${count}`, 2)
    conversations.note('kept', 3)
    conversations.note('last', 4)
    expect(conversations.find('first')).toBe(null)
    expect(conversations.find('kept')).toBe(3)
    expect(conversations.find('last')).toBe(4)
  })
})
