import { describe, expect, test } from 'vitest'
import { proxyByEnvironment, proxyNotice, sharedProxy } from './environmentProxy.ts'

const PROXY = 'http://proxy.example.org:3128/'
const BOTH = { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other.example.org:8080/' }
const FAR = 'https://api.example.org/v1/'

describe('the proxy of the environment', () => {
  test.each([
    [{}, FAR, null],
    [{ HTTPS_PROXY: '' }, FAR, null],
    [BOTH, FAR, PROXY],
    [BOTH, 'http://api.example.org/v1/', 'http://other.example.org:8080/'],
    [{ HTTP_PROXY: PROXY }, FAR, null],
    [{ ...BOTH, https_proxy: 'http://small.example.org/' }, FAR, 'http://small.example.org/'],
    [{ HTTPS_PROXY: 'proxy.example.org:3128' }, FAR, PROXY],
    [{ HTTPS_PROXY: 'http://me:word@proxy.example.org:3128' }, FAR, 'http://me:word@proxy.example.org:3128/'],
    [{ HTTPS_PROXY: 'socks5://proxy.example.org:1080' }, FAR, null],
  ])('by %j for %s is %j', (env, address, proxy) => {
    expect(proxyByEnvironment(env, address)?.proxy ?? null).toBe(proxy)
  })
  test.each([
    'http://127.0.0.1:11434/v1/',
    'https://localhost/v1/',
    'https://models.localhost/',
    'http://[::1]:8000/',
    'http://10.1.2.3/',
    'https://192.168.0.9/v1/',
    'http://ollama:11434/v1/',
    'https://box.local/v1/',
    'http://host.docker.internal:11434/v1/',
    'http://169.254.1.1/',
    'http://[fd00::1]/',
  ])('is not used for %s', address => {
    expect(proxyByEnvironment(BOTH, address)).toMatchObject({ proxy: null, reason: 'excluded' })
  })
  test.each([
    ['*', true],
    ['api.example.org', true],
    ['example.org', true],
    ['.example.org', true],
    ['*.example.org', true],
    ['API.Example.Org', true],
    ['other.org, api.example.org', true],
    ['other.org api.example.org', true],
    ['api.example.org:443', true],
    ['api.example.org:8443', false],
    ['ple.org', false],
    ['', false],
    ['.', false],
    ['10.0.0.0/8', false],
  ])('gives way to NO_PROXY=%j: %j', (NO_PROXY, isExcluded) => {
    expect(proxyByEnvironment({ ...BOTH, NO_PROXY }, FAR)?.reason).toBe(isExcluded ? 'excluded' : 'used')
    expect(proxyByEnvironment({ ...BOTH, no_proxy: NO_PROXY }, FAR)?.reason).toBe(isExcluded ? 'excluded' : 'used')
  })
  test.each([
    ['93.184.216.0/24', true],
    ['93.184.216.34', true],
    ['93.184.216.34:443', true],
    ['93.184.217.0/24', false],
    ['nonsense/99', false],
  ])('gives way to NO_PROXY=%j for an address: %j', (NO_PROXY, isExcluded) => {
    expect(proxyByEnvironment({ ...BOTH, NO_PROXY }, 'https://93.184.216.34/v1/')?.reason).toBe(
      isExcluded ? 'excluded' : 'used',
    )
  })
  test('gives way to the setting', () => {
    expect(sharedProxy(BOTH, 'http://set.example.org/', FAR)).toBe('http://set.example.org/')
    expect(sharedProxy(BOTH, null, FAR)).toBe(PROXY)
  })
})

describe('what the start says of it', () => {
  test.each([
    [{}, null, FAR, null],
    [
      BOTH,
      null,
      FAR,
      /^HTTPS_PROXY is used: .* through proxy\.example\.org:3128\. People’s own endpoints are asked directly/,
    ],
    [BOTH, 'http://set.example.org/', FAR, /^HTTPS_PROXY is ignored: openai_api\.proxy is set$/],
    [BOTH, null, 'http://127.0.0.1:11434/v1/', /^HTTP_PROXY is not used: the endpoint is on this machine/],
    [{ HTTPS_PROXY: 'socks5://x' }, null, FAR, /^HTTPS_PROXY is ignored: .* Set openai_api\.proxy/],
  ])('with %j, the setting %j and %s', (env, setting, endpoint, line) => {
    const notice = proxyNotice(env, setting, endpoint)
    if (line === null) expect(notice).toBe(null)
    else expect(notice).toMatch(line)
  })
  test('holds no password', () => {
    expect(proxyNotice({ HTTPS_PROXY: 'http://me:word@proxy.example.org:3128' }, null, FAR)).not.toContain('word')
  })
})
