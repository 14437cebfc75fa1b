import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { type Call, nothing } from '#contract/call.ts'
import { anEdge } from '#testing/edge.ts'

const PAGE = '<!doctype html><title>the page</title><!-- answers -->'
const NAVIGATION = { headers: { accept: 'text/html,application/xhtml+xml' } }

describe('the page', () => {
  test.each(['/', '/login', '/conversation', '/conv/7f0c', '/admin/users?x=1'])('is what %s shows', async path => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { status, text, headers } = await call(path, NAVIGATION)
    expect(status).toBe(200)
    expect(text).toBe(PAGE)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('cache-control')).toBe('no-cache')
  })
  test('is what a program that takes anything is shown of an address, unless that names a file', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const [path, accept, status] of [
      ['/conversation?id=a.b', '*/*', 200],
      ['/none.js', '*/*', 404],
      ['/none.png?x=/', 'image/avif,image/webp,*/*;q=0.8', 404],
      ['/conversation', 'application/json', 404],
    ] as const) {
      expect((await call(path, { headers: { accept } })).status, `${path} ${accept}`).toBe(status)
    }
  })
  test.each(['/healthz/', '/metrics', '/v1/models', '/assets/none.js'])(
    'is not what %s shows to a program',
    async path => {
      const { call } = await anEdge({ page_dir: aPage() })
      const { status, text } = await call(path)
      expect(status).toBe(404)
      expect(text).not.toBe(PAGE)
    },
  )
  test('says of an address that cannot be decoded that it is not found', async () => {
    const { call, lines } = await anEdge({ page_dir: aPage() })
    for (const path of ['/%', '/conv/%ff?x=1', '/%zz/']) {
      const { status, headers } = await call(path, NAVIGATION)
      expect([status, headers.get('location')], path).toEqual([302, '/error/404'])
      expect(await call(path, { headers: { accept: 'application/json' } }), path).toMatchObject({
        status: 404,
        text: 'not found\n',
      })
      expect((await call(path, { method: 'POST', ...NAVIGATION })).status, path).toBe(404)
    }
    expect((await call('/assets/%', NAVIGATION)).status).toBe(404)
    expect(lines).toEqual([])
  })
  test('can be asked for without its content', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const path of ['/', '/login', '/assets/main-1a2b.js']) {
      expect(await call(path, { method: 'HEAD', ...NAVIGATION })).toMatchObject({ status: 200, text: '' })
    }
  })
  test('is sent whole, whatever part of it is asked for', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const range of ['bytes=0-3', 'bytes=999999-', 'bytes=5-2', 'lines=1-2']) {
      expect(await call('/index.html', { headers: { range } }), range).toMatchObject({ status: 200, text: PAGE })
    }
  })
  test('is not sent on a condition that it does not meet, which is no error of ours', async () => {
    const { call, metrics } = await anEdge({ page_dir: aPage() })
    for (const [condition, value] of [
      ['if-match', '"another"'],
      ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ] as const) {
      expect((await call('/index.html', { headers: { [condition]: value } })).envelope.message, condition).toBe(
        'errors.invalidRequest',
      )
    }
    expect((await metrics.unexpectedErrors.get()).values).toEqual([{ labels: {}, value: 0 }])
  })
  test('is not what a form is sent to', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    expect((await call('/login', { method: 'POST', ...NAVIGATION })).status).toBe(404)
  })
  test('shows nothing outside of its folder', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const path of ['/..%2fsecret.key', '/%2e%2e/secret.key', '/assets/..%2f..%2fsecret.key', '/.hidden']) {
      expect((await call(path)).text).not.toContain('geheim')
    }
  })
  test('says what to do while it is not built', async () => {
    const { call } = await anEdge({ page_dir: join(aPage(), 'assets') })
    for (const path of ['/', '/login']) {
      const { status, text, headers } = await call(path, NAVIGATION)
      expect(status).toBe(503)
      expect(text).toContain('npm run build')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('the page of whoever is signed in', () => {
  const readMotto = {
    ...nothing,
    access: 'user',
    method: 'GET',
    path: '/motto',
    summary: 'What they live by.',
    result: z.object({ text: z.string() }),
  } as const satisfies Call
  const readMottos = {
    ...nothing,
    access: 'superuser',
    method: 'GET',
    path: '/mottos',
    summary: 'All of them.',
    result: z.null(),
  } as const satisfies Call
  const aPortal = (text = 'be kind') =>
    anEdge(
      { page_dir: aPage(), firstCalls: path => (path === '/conversation' ? [readMotto, readMottos] : []) },
      http => {
        http.answer(readMotto, () => ({ text }))
        http.answer(readMottos, () => null)
      },
    )
  const answersIn = (text: string) =>
    JSON.parse(/<script type="application\/json" id="answers">([^]*)<\/script>/.exec(text)?.[1] ?? 'null')

  test('carries the answers to what it will ask first', async () => {
    const { text, headers, status } = await (await aPortal()).call('/conversation?id=7', { as: 'ann', ...NAVIGATION })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(answersIn(text)).toEqual({
      'GET /motto': { code: 200, message: 'tips.requestSuccess', result: { text: 'be kind' } },
    })
  })
  test('carries only what they may know', async () => {
    const { call } = await aPortal()
    expect(Object.keys(answersIn((await call('/conversation', { as: 'sue', ...NAVIGATION })).text))).toEqual([
      'GET /motto',
      'GET /mottos',
    ])
  })
  test('is not kept by anybody', async () => {
    const { call } = await aPortal()
    expect((await call('/conversation', { as: 'ann', ...NAVIGATION })).headers.get('cache-control')).toBe('no-store')
  })
  test.each(['</script><script>alert(1)</script>', '<!-- <script>', "$& $' \u2028"])(
    'holds %s as data',
    async words => {
      const { text } = await (await aPortal(words)).call('/conversation', { as: 'ann', ...NAVIGATION })
      expect(text.match(/<\/?script|<!--/g)).toEqual(['<script', '</script'])
      expect(answersIn(text)['GET /motto'].result.text).toBe(words)
    },
  )
  test.each([['br'], ['gzip'], ['identity']])('goes out as %s to whom that suits', async encoding => {
    const words = 'be kind '.repeat(2_000)
    const { text, headers } = await (
      await aPortal(words)
    ).call('/conversation', { as: 'ann', headers: { ...NAVIGATION.headers, 'accept-encoding': encoding } })
    expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    expect(answersIn(text)['GET /motto'].result.text).toBe(words)
  })
  test.each([
    ['without a session', undefined],
    ['whose session is over', 'gone'],
  ])('%s is the one for everybody', async (_who, as) => {
    const { text, headers } = await (await aPortal()).call('/conversation', { as, ...NAVIGATION })
    expect(text).toBe(PAGE)
    expect(headers.get('cache-control')).toBe('no-cache')
  })
  test('leaves out what would be waited for too long', async () => {
    const { text } = await (await aPortal('long '.repeat(20_000))).call('/conversation', { as: 'ann', ...NAVIGATION })
    expect(text).toBe(PAGE)
  })
})

describe('a screen that was drawn beforehand', () => {
  const DRAWN = '<!doctype html><title>drawn</title><!-- answers -->'
  const readMotto = {
    ...nothing,
    access: 'user',
    method: 'GET',
    path: '/motto',
    summary: 'What they live by.',
    result: z.null(),
  } as const satisfies Call

  async function aPortal() {
    const page_dir = aPage()
    for (const [folder, name] of [
      ['signedIn', 'conversation'],
      ['signedOut', 'login'],
    ] as const) {
      mkdirSync(join(page_dir, 'drawn', folder), { recursive: true })
      writeFileSync(join(page_dir, 'drawn', folder, `${name}.html`), DRAWN)
    }
    return anEdge({ page_dir, firstCalls: () => [readMotto] }, http => {
      http.answer(readMotto, () => null)
    })
  }

  test.each([
    ['/login', undefined, true],
    ['/login?to=x', 'gone', true],
    ['/login', 'ann', false],
    ['/login/', undefined, false],
    ['/conversation', 'ann', true],
    ['/conversation?id=7', 'ann', true],
    ['/conversation', undefined, false],
    ['/conversation', 'gone', false],
    ['/conv/7', 'ann', false],
    ['/', undefined, false],
  ])('is the page of %s for %s: %s', async (path, as, isDrawn) => {
    const { text, headers } = await (await aPortal()).call(path, { as, ...NAVIGATION })
    expect(text).toContain(isDrawn ? '<title>drawn</title>' : '<title>the page</title>')
    expect(headers.get('cache-control')).toBe(as === 'ann' ? 'no-store' : 'no-cache')
  })
  test('has no address of its own', async () => {
    const { call } = await aPortal()
    for (const path of ['/drawn/signedIn/conversation.html', '/drawn/signedOut/login.html'])
      expect((await call(path)).status).toBe(404)
  })
})

describe('a file of the page', () => {
  test('is found as its address is decoded, and as nothing else', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const path of ['/favicon.svg?v=2', '/%66avicon.svg']) expect((await call(path)).text, path).toBe('<svg/>')
    for (const path of ['/assets', '/assets/', '//favicon.svg', '/Favicon.svg'])
      expect((await call(path)).status, path).toBe(404)
  })
  test('is not what is posted to its address', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    expect((await call('/favicon.svg', { method: 'POST' })).status).toBe(404)
  })
  test('with a digest in its name is kept for ever', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { text, headers } = await call('/assets/main-1a2b.js')
    expect(text).toBe('1')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })
  test('without one is asked for again, and not sent again while it is the same', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { headers } = await call('/favicon.svg')
    expect(headers.get('cache-control')).toBe('no-cache')
    // As browsers say it; fetch would ask for a fresh one by itself.
    const again = await call('/favicon.svg', {
      headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })
  test('goes out as it was compressed beforehand', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    for (const path of ['/', '/assets/main-1a2b.js']) {
      const { headers } = await call(path, { headers: { 'accept-encoding': 'br', accept: 'text/html' } })
      expect(headers.get('content-encoding')).toBe('br')
      expect(headers.get('vary')).toMatch(/accept-encoding/i)
    }
  })
})

describe('the headers', () => {
  test('of a script or a style are few, and let it do nothing by itself', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { headers } = await call('/assets/main-1a2b.js')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('permissions-policy')).toBe(null)
  })
  test('of the worker that reads files let it load scripts of the page, and send nothing', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { status, headers } = await call('/assets/readingWorker-1a2b.js')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'",
    )
  })
  test('of the page let only its own scripts run', async () => {
    const { call } = await anEdge({ page_dir: aPage() })
    const { headers } = await call('/', NAVIGATION)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "connect-src 'self'",
    ]) {
      expect(policy.split('; ')).toContain(part)
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()')
  })
  test('of the page let the script that stands in it run, by its digest, and no data', async () => {
    const script = "document.title = '共享'"
    const page_dir = aPage(`<script type="application/json" id="plan">{}</script><script>${script}</script>${PAGE}`)
    const policy = (await (await anEdge({ page_dir })).call('/', NAVIGATION)).headers.get('content-security-policy')
    expect(policy).toContain(`; script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}';`)
  })
  test.each(['/api/thing/7', '/api/nowhere', '/api/thing/%zz', '/api'])(
    'of %s make it data that nobody keeps',
    async path => {
      const { headers } = await (await anEdge()).call(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers.get('server')).toBe(null)
      expect(headers.get('x-powered-by')).toBe(null)
    },
  )
  test('insist on https where the portal is reached by it', async () => {
    const secure = await anEdge({ publicOrigin: () => 'https://chat.example.org', page_dir: aPage() })
    for (const path of ['/', '/api/thing/7']) {
      expect((await secure.call(path)).headers.get('strict-transport-security')).toBe(
        'max-age=31536000; includeSubDomains',
      )
    }
    expect((await (await anEdge()).call('/api/thing/7')).headers.get('strict-transport-security')).toBe(null)
  })
})

/** A built page with a file beside its folder that must not be reached. */
function aPage(index = PAGE): string {
  const folder = mkdtempSync(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const page = join(folder, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.key'), 'geheim')
  writeFileSync(join(page, '.hidden'), 'geheim')
  for (const [name, text] of [
    ['index.html', index],
    ['assets/main-1a2b.js', '1'],
    ['assets/readingWorker-1a2b.js', '1'],
    ['favicon.svg', '<svg/>'],
  ] as const) {
    writeFileSync(join(page, name), text)
    writeFileSync(join(page, `${name}.br`), brotliCompressSync(text))
  }
  return page
}
