import { describe, expect, test } from 'vitest'
import type { ProviderEndpoint } from '../endpoint.ts'
import { webAddress, webHeaders } from './reach.ts'

const BASE = 'https://chat.example.org/backend-api/'
const endpoint: ProviderEndpoint = { base_url: BASE, key: 'token', key_header: null, proxy: null, addresses: 'any' }
const web = { team_account_id: null, wss_proxy: null, common_timeout: 20 }

describe('the address of a request to a web account', () => {
  test('stands behind the base, whose query stays', () => {
    expect(webAddress(BASE, 'conversation')).toBe(`${BASE}conversation`)
    expect(webAddress('https://chat.example.org', 'conversations', { offset: 0, limit: 80 })).toBe(
      'https://chat.example.org/conversations?offset=0&limit=80',
    )
    expect(webAddress(' https://a.example/x//?k=1#y', 'aip/p', { search: 'a&b' })).toBe(
      'https://a.example/x/aip/p?k=1&search=a%26b',
    )
  })
  test('is refused where no base is known', () => {
    expect(() => webAddress('', 'conversation')).toThrow(expect.objectContaining({ key: 'httpError' }))
  })
})

describe('the headers of a request to a web account', () => {
  test('have the token, and the team where one is meant', () => {
    const personal = {
      authorization: 'Bearer token',
      'content-type': 'application/json',
      'accept-language': 'en-US',
      referer: 'https://chat.example.org/',
    }
    expect(webHeaders(endpoint)).toEqual(personal)
    expect(webHeaders({ ...endpoint, web })).toEqual(personal)
    expect(webHeaders({ ...endpoint, web: { ...web, team_account_id: 'team-1' } })).toEqual({
      ...personal,
      'chatgpt-account-id': 'team-1',
    })
  })
})
