import { describe, expect, test } from 'vitest'
import { sameHost } from './OwnApiForm.tsx'

describe('the address of an endpoint of one’s own', () => {
  test('keeps its key as long as it stays with the same host', () => {
    expect(sameHost('https://api.example.org/v1/', ' https://api.example.org/v2/ ')).toBe(true)
    expect(sameHost('https://api.example.org/v1/', 'https://elsewhere.example.org/v1/')).toBe(false)
    expect(sameHost(null, 'https://api.example.org/')).toBe(false)
  })
})
