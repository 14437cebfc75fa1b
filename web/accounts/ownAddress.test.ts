import { describe, expect, test } from 'vitest'
import { isAddress, sameHost } from './ownAddress.ts'

describe('the address of an endpoint of one’s own', () => {
  test.each(['https://api.example.org/v1/', 'http://127.0.0.1:8080/'])('may be %s', address => {
    expect(isAddress(address)).toBe(true)
  })
  test.each(['api.example.org', 'ftp://api.example.org/', 'https://me:secret@api.example.org/', 'https://'])('may not be %s', address => {
    expect(isAddress(address)).toBe(false)
  })
  test('keeps its key as long as it stays with the same host', () => {
    expect(sameHost('https://api.example.org/v1/', ' https://api.example.org/v2/ ')).toBe(true)
    expect(sameHost('https://api.example.org/v1/', 'https://elsewhere.example.org/v1/')).toBe(false)
    expect(sameHost(null, 'https://api.example.org/')).toBe(false)
  })
})
