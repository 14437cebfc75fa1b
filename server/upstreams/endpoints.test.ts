import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { addressOf, originOf } from './upstream.ts'
import { openEndpoints, type OwnEndpoint, type ReachedBy } from './endpoints.ts'

const OWN: OwnEndpoint = { upstream_id: 3, url: 'https://models.example.org/v1/', key: 'sk-own', isUnreadable: false }
const withKey = (key: string | null) => ({ key, isUnreadable: false })
const SIMULATOR = 'http://127.0.0.1:4711/v1/'
const SIMULATOR_WEB = 'http://127.0.0.1:4711/web/'
const configured = (openai_api: object, auth: object = {}, env = {}) =>
  openEndpoints({
    configuration: () => Configuration.parse({ openai_api, auth }),
    demonstrationUrls: { openai_api: SIMULATOR, openai_web: SIMULATOR_WEB },
    env,
  })

const row = (fields: Partial<ReachedBy> = {}): ReachedBy => ({
  source: 'openai_api',
  base_url: 'http://10.0.0.6:8000/v1',
  query: null,
  key_header: null,
  proxy: null,
  ...fields,
})

describe('a shared endpoint', () => {
  test('is the built-in simulator in the demonstration', () => {
    const demonstrated = row({ base_url: null, isDemonstration: true })
    expect(configured({}).reach(demonstrated, withKey(null))).toMatchObject({ base_url: SIMULATOR, key: null })
    expect(configured({}).reach({ ...demonstrated, source: 'openai_web' }, withKey(null))).toMatchObject({
      base_url: SIMULATOR_WEB,
      key: 'demonstration',
    })
  })
  test('has the timeouts of the settings', () => {
    const settings = { connect_timeout: 1, read_timeout: 2, ask_timeout: 3, max_answer_length: 4000 }
    expect(configured(settings).bounds({})).toMatchObject(settings)
  })
  test('is asked at its address with its own key, with the query behind', () => {
    const azure = row({ base_url: 'https://a.example.org/openai', query: 'api-version=1', key_header: 'api-key' })
    expect(configured({}).reach(azure, withKey('sk-2'))).toEqual({
      base_url: 'https://a.example.org/openai?api-version=1',
      key: 'sk-2',
      key_header: 'api-key',
      addresses: 'any',
      proxy: null,
    })
    expect(configured({}).reach(row(), withKey(null)).key).toBe(null)
  })
  test('is OpenAI’s without an address', () => {
    expect(configured({}).reach(row({ base_url: null }), withKey('sk-2')).base_url).toBe('https://api.openai.com/v1/')
  })
  test('has the proxy and the timeouts of the settings unless it has its own', () => {
    const upstreams = configured({ proxy: 'http://127.0.0.1:8888', read_timeout: 7, ask_timeout: 9 })
    expect(upstreams.reach(row(), withKey(null)).proxy).toBe('http://127.0.0.1:8888')
    expect(upstreams.reach(row({ proxy: 'http://127.0.0.1:9999' }), withKey(null)).proxy).toBe('http://127.0.0.1:9999')
    expect(upstreams.bounds({ read_timeout: 3, ask_timeout: null })).toMatchObject({ read_timeout: 3, ask_timeout: 9 })
  })
})

describe('an address', () => {
  test('of the web service is that of the settings where an account names none', () => {
    const settings = Configuration.parse({ openai_web: { chatgpt_base_url: 'https://web.example.org/api' } })
    expect(addressOf({ source: 'openai_web', base_url: null, query: null }, settings)).toBe(
      'https://web.example.org/api',
    )
  })
  test('has an origin, by which it is known where a key may go', () => {
    expect(originOf('https://a.example.org:8443/v1?x=1')).toBe('https://a.example.org:8443')
    expect(originOf(null)).toBe('')
  })
})

describe('a proxy of the environment', () => {
  const env = { HTTPS_PROXY: 'http://proxy.example.org:3128' }
  const at = (openai_api: object) => configured(openai_api, {}, env)
  const proxyFor = (base_url: string | null, openai_api: object = {}) =>
    at(openai_api).reach(row({ base_url }), withKey('sk-1')).proxy
  test('is for shared endpoints alone, as long as the settings name none', () => {
    expect(proxyFor(null)).toBe('http://proxy.example.org:3128/')
    expect(proxyFor('http://127.0.0.1:11434/v1/')).toBe(null)
    expect(at({}).ofUser(OWN).proxy).toBe(null)
    expect(proxyFor(null, { proxy: 'http://127.0.0.1:8888' })).toBe('http://127.0.0.1:8888')
    expect(at({ proxy: 'http://127.0.0.1:8888' }).ofUser(OWN).proxy).toBe('http://127.0.0.1:8888')
  })
})

describe('a person’s own endpoint', () => {
  test('is asked with their key alone, and only where it is public or listed', () => {
    const upstreams = configured({}, { allow_private_custom_urls: ['10.0.0.5'] })
    expect(upstreams.ofUser(OWN)).toMatchObject({
      base_url: OWN.url,
      key: 'sk-own',
      addresses: { public_only: true, except: ['10.0.0.5'] },
    })
    expect(upstreams.ofUser({ ...OWN, key: null }).key).toBe(null)
  })
})
