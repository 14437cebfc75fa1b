import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { anEdge, cookieOf, type Edge } from '#testing/edge.ts'
import { MAX_FORM, MAX_JSON } from './body.ts'

describe('a request', () => {
  test('is told everything that is wrong with it, field by field', async () => {
    const { call } = await anEdge()
    const { envelope } = await call('/api/thing', { method: 'POST', as: 'ann', json: { name: 5, count: 1001 } })
    expect(envelope).toEqual({
      code: 422,
      message: 'errors.requestValidationError',
      result:
        'body.name: Invalid input: expected string, received number; body.count: Too big: expected number to be <=1000',
      detail: [
        { loc: ['body', 'name'], msg: 'Invalid input: expected string, received number', type: 'invalid_type' },
        { loc: ['body', 'count'], msg: 'Too big: expected number to be <=1000', type: 'too_big' },
      ],
    })
  })
  test('is told where it is wrong in its path and its query', async () => {
    const { call } = await anEdge()
    expect(await locations(call('/api/thing/seven', { as: 'ann' }))).toEqual([['path', 'id']])
    expect(await locations(call('/api/thing/7?color=a&color=b', { as: 'ann' }))).toEqual([['query', 'color']])
    for (const undecoded of ['%', '%zz', '%ff%fe'])
      expect(await locations(call(`/api/thing/7?color=${undecoded}`, { as: 'ann' }))).toEqual([['query']])
  })
  test('is taken at its word: no text is read as a number', async () => {
    const { call } = await anEdge()
    for (const count of ['5', 1.5, null, true, [5], -1, 1001]) {
      expect(await locations(call('/api/thing', { method: 'POST', as: 'ann', json: { name: 'x', count } }))).toEqual([
        ['body', 'count'],
      ])
    }
    for (const count of ['NaN', '1e400', 'Infinity']) {
      const sent = call('/api/thing', {
        method: 'POST',
        as: 'ann',
        headers: { 'content-type': 'application/json' },
        body: `{"name":"x","count":${count}}`,
      })
      expect((await sent).envelope.code).toBe(422)
    }
    for (const count of [0, 1000]) {
      expect((await call('/api/thing', { method: 'POST', as: 'ann', json: { name: 'x', count } })).envelope.code).toBe(
        200,
      )
    }
  })
  test('may hold fields that nobody knows; they are dropped', async () => {
    const { call } = await anEdge()
    expect(
      (await call('/api/thing', { method: 'POST', as: 'ann', json: { name: 'x', is_superuser: true } })).envelope
        .result,
    ).toEqual({ name: 'x' })
  })
  test.each([undefined, null, [], 'text', 5])('that should bring an object is refused with %j', async json => {
    const { call } = await anEdge()
    expect(await locations(call('/api/thing', { method: 'POST', as: 'ann', json }))).toEqual([['body']])
  })
  test('may be empty where nothing is asked for, whatever it calls itself', async () => {
    const { call } = await anEdge()
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      expect(
        (await call('/api/thing', { method: 'DELETE', as: 'sue', headers: { 'content-type': type } })).envelope.code,
      ).toBe(200)
    }
  })
})

describe('a content type', () => {
  const TAKEN = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
  ]
  const ODD = [
    'text/plain',
    'application/json ; charset=utf-8',
    'application/json\t;charset=utf-8',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/json, text/plain',
    'application/json; x=y',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json;',
    'application/ json',
  ]
  test.each(TAKEN)('of JSON may be %j', async type => {
    expect(await codeFor(await anEdge(), '/api/thing', type, '{"name":"x"}')).toBe(200)
  })
  test.each(ODD)('of JSON is not %j', async type => {
    expect(await codeFor(await anEdge(), '/api/thing', type, '{"name":"x"}')).toBe(415)
  })
  test('of JSON must be there', async () => {
    expect(await codeFor(await anEdge(), '/api/thing', null, '{"name":"x"}')).toBe(415)
  })
  test.each([
    'application/json',
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/x-www-form-urlencoded; charset=utf-16',
  ])('of a form is not %j', async type => {
    expect(await codeFor(await anEdge(), '/api/thing/open', type, 'word=x')).toBe(415)
  })
  test('of something packed is not taken', async () => {
    const { call } = await anEdge()
    const { envelope } = await call('/api/thing', {
      method: 'POST',
      as: 'ann',
      json: { name: 'x' },
      headers: { 'content-encoding': 'gzip' },
    })
    expect(envelope.code).toBe(415)
  })
})

describe('a body', () => {
  test('of JSON may have a megabyte', async () => {
    const edge = await anEdge()
    const frame = '{"name":""}'.length
    expect(await codeFor(edge, '/api/thing', 'application/json', `{"name":"${'x'.repeat(MAX_JSON - frame)}"}`)).toBe(
      200,
    )
    expect(
      await codeFor(edge, '/api/thing', 'application/json', `{"name":"${'x'.repeat(MAX_JSON - frame + 1)}"}`),
    ).toBe(413)
  })
  test('without a length is cut at the same size', async () => {
    const edge = await anEdge()
    expect(await codeFor(edge, '/api/thing', 'application/json', ['{"name":"', 'x'.repeat(1000), '"}'])).toBe(200)
    expect(
      await codeFor(
        edge,
        '/api/thing',
        'application/json',
        Array.from({ length: 20 }, () => ' '.repeat(MAX_JSON / 16)),
      ),
    ).toBe(413)
  })
  test('of a form may have 16 kilobytes', async () => {
    const edge = await anEdge()
    const type = 'application/x-www-form-urlencoded'
    expect(await codeFor(edge, '/api/thing/open', type, `word=${'x'.repeat(MAX_FORM - 5)}`)).toBe(200)
    expect(await codeFor(edge, '/api/thing/open', type, `word=${'x'.repeat(MAX_FORM)}`)).toBe(413)
    const form = new FormData()
    form.set('word', 'x'.repeat(MAX_FORM))
    expect((await edge.call('/api/thing/open', { method: 'POST', body: form })).envelope.code).toBe(413)
  })
  test('is not nested deeper than 32', async () => {
    const { call } = await anEdge()
    const nested = (depth: number) => Array.from({ length: depth }).reduce<unknown>(inner => [inner], 1)
    expect(
      (await call('/api/thing', { method: 'POST', as: 'ann', json: { name: 'x', more: nested(31) } })).envelope.code,
    ).toBe(200)
    expect(
      (await call('/api/thing', { method: 'POST', as: 'ann', json: { name: 'x', more: nested(32) } })).envelope.code,
    ).toBe(422)
  })
})

describe('a form', () => {
  test('arrives either way', async () => {
    const { call } = await anEdge()
    const multipart = new FormData()
    multipart.set('word', '你好 & =')
    for (const body of [multipart, new URLSearchParams({ word: '你好 & =' })]) {
      expect((await call('/api/thing/open', { method: 'POST', body })).envelope.result).toEqual({
        word: '你好 & =',
        user: null,
      })
    }
  })
  test('names each field once', async () => {
    const { call } = await anEdge()
    expect(
      await locations(call('/api/thing/open', { method: 'POST', body: new URLSearchParams('word=a&word=b') })),
    ).toEqual([['body', 'word']])
  })
  test('holds text only', async () => {
    const { call } = await anEdge()
    const form = new FormData()
    form.set('word', new Blob(['x']), 'x.txt')
    expect(await locations(call('/api/thing/open', { method: 'POST', body: form }))).toEqual([['body', 'word']])
    for (const odd of ['a%00b', 'a%ED%A0%BDb']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { envelope } = await call('/api/thing/open', { method: 'POST', body: `word=${odd}`, headers })
      expect(envelope.result).toMatchObject({ word: 'a\uFFFDb' })
    }
  })
  test('reaches no prototype', async () => {
    const { call } = await anEdge()
    expect(
      (await call('/api/thing/open', { method: 'POST', body: new URLSearchParams('word=a&__proto__=b') })).envelope
        .code,
    ).toBe(422)
  })
  test('that is broken is refused', async () => {
    const edge = await anEdge()
    expect(await codeFor(edge, '/api/thing/open', 'multipart/form-data; boundary=x', 'nonsense')).toBe(422)
  })
})

async function locations(answered: ReturnType<Edge['call']>): Promise<unknown[] | undefined> {
  return (await answered).envelope.detail?.map(({ loc }) => loc)
}

/** Node's own client, which sends header and body as they are; pieces go out without a length. */
async function codeFor({ url }: Edge, path: string, type: string | null, body: string | string[]): Promise<number> {
  const headers = { origin: url, cookie: cookieOf('ann'), ...(type === null ? {} : { 'content-type': type }) }
  const asked = request(url + path, { method: 'POST', headers })
  asked.on('error', () => {})
  const answered = once(asked, 'response')
  for (const piece of [body].flat()) asked.write(piece)
  asked.end()
  const [response] = await answered
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return JSON.parse(text).code
}
