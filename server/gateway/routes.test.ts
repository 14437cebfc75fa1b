import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { newSecret } from '#server/keys/secret.ts'
import { eachStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { A_CHAT, portalWithTool, refusalIn } from './gateway.testing.ts'

const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages'
const NO_KEY = { authorization: '' }

eachStorage((_name, storage) => {
  describe('a key', () => {
    test('comes as a bearer or by its own header, in any dialect', async () => {
      const { send, made } = await portalWithTool(await storage())
      expect((await send(CHAT, { body: A_CHAT, headers: { ...NO_KEY, 'x-api-key': made.key } })).status).toBe(200)
      expect((await send(CHAT, { body: A_CHAT, headers: { 'x-api-key': made.key } })).status).toBe(200)
      expect((await send('/chat/completions', { body: A_CHAT })).status).toBe(200)
    })
    test.each([
      ['is missing', NO_KEY],
      ['is none', { authorization: 'Bearer nonsense' }],
      ['is unknown', { authorization: `Bearer ${newSecret()}` }],
      ['is basic', { authorization: 'Basic dTpw' }],
      ['is another one than the other', { 'x-api-key': newSecret() }],
    ])('that %s is a 401, in the form of the dialect', async (_which, headers) => {
      const { send, logs } = await portalWithTool(await storage())
      const chat = await send(CHAT, { body: A_CHAT, headers })
      expect(chat.headers.get('x-should-retry')).toBe('false')
      expect(chat.headers.get('retry-after')).toBe(null)
      expect(await refusalIn(chat)).toMatchObject({ status: 401, code: 'invalid_api_key', param: null })
      const messages = await send(MESSAGES, { body: A_CHAT, headers })
      expect(messages.status).toBe(401)
      expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
      expect(await logs()).toEqual([])
    })
    test('in the address is not read, and a cookie neither', async () => {
      const { send, made, lin } = await portalWithTool(await storage())
      const response = await send(`${CHAT}?api_key=${made.key}&key=${made.key}`, {
        body: A_CHAT,
        headers: { ...NO_KEY, cookie: lin.cookie },
      })
      expect(response.status).toBe(401)
    })
    test('that was revoked says so', async () => {
      const { send, made, lin } = await portalWithTool(await storage())
      await lin.result('DELETE', `/user/me/keys/${made.id}`)
      expect(await refusalIn(await send(CHAT, { body: A_CHAT }))).toMatchObject({
        status: 401,
        message: expect.stringContaining('revoked'),
      })
    })
    test('notes the tool that used it', async () => {
      const { send, list } = await portalWithTool(await storage())
      await send(CHAT, { body: A_CHAT, headers: { 'user-agent': 'codex_exec/0.171.0 (Linux)' } })
      await until(async () => expect((await list()).keys).toMatchObject([{ last_tool: 'Codex' }]))
    })
  })

  describe('any origin', () => {
    test('may ask, with the headers that its browser names, and is never given a cookie', async () => {
      const { send } = await portalWithTool(await storage())
      const asked = 'authorization, content-type, x-stainless-arch, anthropic-version'
      for (const path of [CHAT, '/v1/models', '/v1', '/responses', '/v1/no/such']) {
        const preflight = await send(path, {
          method: 'OPTIONS',
          headers: { ...NO_KEY, origin: 'app://obsidian.md', 'access-control-request-headers': asked },
        })
        expect([preflight.status, path]).toEqual([204, path])
        expect(preflight.headers.get('access-control-allow-headers')).toBe(asked)
        expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
        expect(preflight.headers.get('access-control-allow-credentials')).toBe(null)
      }
    })
    test('reads refusals, their headers among them', async () => {
      const { send } = await portalWithTool(await storage())
      for (const [path, headers] of [
        [CHAT, NO_KEY],
        [CHAT, {}],
        ['/v1/no/such', {}],
        ['/v1/%', {}],
      ] as const) {
        const { headers: answered } = await send(path, {
          body: '{',
          headers: { ...headers, origin: 'https://a.example' },
        })
        expect([answered.get('access-control-allow-origin'), path]).toEqual(['*', path])
        expect(answered.get('access-control-expose-headers')).toBe('*')
        expect(answered.get('access-control-allow-credentials')).toBe(null)
        expect(answered.get('x-request-id')).toEqual(expect.any(String))
        expect(answered.get('set-cookie')).toBe(null)
      }
    })
    test('has nothing of that on /api', async () => {
      const { send, url } = await portalWithTool(await storage())
      for (const path of ['/api/user/me', '/api/hello', '/']) {
        const response = await fetch(`${url}${path}`, { headers: { origin: 'https://a.example' } })
        expect(response.headers.get('access-control-allow-origin')).toBe(null)
      }
      const api = await send('/api/user/me', { method: 'GET' })
      expect(await api.json()).toMatchObject({ code: 10401 })
    })
  })

  describe('another address', () => {
    test('is not found, in the form of whoever asks', async () => {
      const { send } = await portalWithTool(await storage())
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect(await refusalIn(await send('/v1/audio/speech', { method }))).toMatchObject({
          status: 404,
          code: 'unknown_url',
        })
      const claude = await send('/v1/files', { method: 'GET', headers: { 'anthropic-version': '2023-06-01' } })
      expect(await claude.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
    })
    test('that was meant for this one is told what is wrong', async () => {
      const { send } = await portalWithTool(await storage())
      expect((await refusalIn(await send('/v1/v1/messages', { body: A_CHAT }))).message).toContain('/v1 twice')
      expect((await refusalIn(await send(CHAT, { method: 'GET' }))).message).toContain('POST')
    })
    test('without the version is a page of the portal for whoever has no key', async () => {
      const { send } = await portalWithTool(await storage())
      expect((await send('/responses', { body: A_CHAT, headers: NO_KEY })).status).toBe(404)
      const page = await send('/responses', { method: 'GET', headers: { accept: 'text/html' } })
      expect(page.headers.get('content-type')).toContain('text/html')
    })
    test('is greeted by Claude Code before it asks', async () => {
      const { url } = await portalWithTool(await storage())
      const hello = await fetch(`${url}/api/hello`, { method: 'HEAD' })
      expect(hello.status).toBe(200)
      expect(await hello.text()).toBe('')
    })
    test('by a WebSocket is a 426 at once', async () => {
      const { url } = await portalWithTool(await storage())
      const { hostname, port } = new URL(url)
      const answered = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            'GET /v1/responses HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
          ),
        )
        let text = ''
        socket
          .on('data', data => (text += String(data)))
          .on('end', () => resolve(text))
          .on('error', reject)
      })
      expect(answered).toMatch(/^HTTP\/1\.1 426 /)
    })
  })

  describe('the stream that tries the way', () => {
    test('is for anybody, comes in pieces, and says whether a key would arrive', async () => {
      const { send } = await portalWithTool(await storage())
      for (const headers of [NO_KEY, { authorization: 'Bearer connection' }]) {
        const { body, status } = await send('/v1/connection', { method: 'GET', headers })
        const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
        const first = await reader?.read()
        expect([status, first?.value]).toEqual([200, `data: {"authorization":${headers !== NO_KEY}}\n\n`])
        let rest = ''
        for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) rest += piece.value
        expect(rest).toMatch(/data: \[DONE\]\n\n$/)
      }
    })
    test('forgets those that nobody reads', async () => {
      const { send } = await portalWithTool(await storage())
      for (let sent = 0; sent < 51; sent += 1) await send('/v1/connection', { method: 'HEAD' })
      expect((await send('/v1/connection', { method: 'HEAD' })).status).toBe(200)
    })
  })

  describe('tokens', () => {
    test('are counted without an upstream', async () => {
      const { send, simulator } = await portalWithTool(await storage())
      const before = simulator.journal.length
      const body = { model: 'gpt_4', messages: [{ role: 'user', content: 'word '.repeat(400) }] }
      const counted = await send('/v1/messages/count_tokens', { body })
      expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) })
      expect(simulator.journal.length).toBe(before)
    })
  })
})
