import { describe, expect, test } from 'vitest'
import { toolNames } from './toolNames.ts'

const named = (name: string, namespace: string | null = null) => ({ kind: 'function' as const, name, namespace })

describe('the name of a tool in a chat', () => {
  test('is its own where that fits', () => {
    const names = toolNames()
    expect(names.chatName(named('Read'))).toBe('Read')
    expect(names.byChatName.get('Read')).toEqual(named('Read'))
  })
  test('has its namespace before it, parted once', () => {
    expect(toolNames().chatName(named('now', 'mcp__time'))).toBe('mcp__time__now')
    expect(toolNames().chatName(named('now', 'mcp__time__'))).toBe('mcp__time__now')
  })
  test.each(['x'.repeat(65), '读取', 'a.b/c', ''])('fits otherwise, and is the same in every request: %s', name => {
    const sent = toolNames().chatName(named(name))
    expect(sent).toMatch(/^[\w-]{1,64}$/)
    expect(toolNames().chatName(named(name))).toBe(sent)
  })
  test('is of one tool alone', () => {
    const names = toolNames()
    const tools = [named('now', 'a'), named('a__now'), named('a.now'), named('a_now'), named('now')]
    const sent = tools.map(names.chatName)
    expect(new Set(sent).size).toBe(tools.length)
    expect(sent.map(name => names.byChatName.get(name))).toEqual(tools)
  })
})
