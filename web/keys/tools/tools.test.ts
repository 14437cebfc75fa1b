import { describe, expect, test } from 'vitest'
import { TOOLS } from './list.ts'

const VALUES = { address: 'https://chat.example.org', key: 'cmn_secret', model: 'gpt-4o' }

describe.each(TOOLS.map(tool => [tool.name, tool] as const))('%s', (_name, tool) => {
  test('is connected by the address, the key and the model', () => {
    const snippet = tool.snippet(VALUES)
    for (const value of Object.values(VALUES)) expect(snippet).toContain(value)
    expect(snippet).not.toMatch(/undefined|\[object/)
  })
  test('has the address with /v1, or without it where the tool adds that', () => {
    const addsVersion = tool.dialect === 'messages'
    expect(tool.snippet(VALUES).includes(`${VALUES.address}/v1`)).toBe(!addsVersion)
  })
})

test('each tool has an id of its own', () => {
  expect(new Set(TOOLS.map(({ id }) => id)).size).toBe(TOOLS.length)
})
