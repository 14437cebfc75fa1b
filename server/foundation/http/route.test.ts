import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { anEdge } from '#testing/edge.ts'
import { Refusal } from '../refusal.ts'
import { anyone, jsonAnswer, textAnswer, type HttpAnswer, type Route } from './route.ts'

const anEdgeWith = <Who>(route: Partial<Route<Who>> & Pick<Route<Who>, 'admit' | 'handle'>) =>
  anEdge({}, http => {
    http.route({ method: 'GET', path: '/v1/things', ...route })
  })

const answeredBy = async (answer: HttpAnswer, method = 'GET') =>
  (await anEdgeWith({ admit: anyone, handle: () => answer })).call('/v1/things', { method })

describe('a route outside the envelope', () => {
  test('answers with the status, headers and text that its handler gives', async () => {
    const answer = await answeredBy(textAnswer(418, 'short and stout', { 'x-pot': 'tea' }))
    expect(answer).toMatchObject({ status: 418, text: 'short and stout' })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-pot': 'tea',
      'x-content-type-options': 'nosniff',
    })
  })
  test('answers with JSON that has nothing around it', async () => {
    const { status, headers, text } = await answeredBy(jsonAnswer(201, { data: ['林'] }))
    expect([status, headers.get('content-type'), text]).toEqual([
      201,
      'application/json; charset=utf-8',
      '{"data":["林"]}',
    ])
  })
  test('answers with a stream', async () => {
    const { status, text } = await answeredBy({ status: 200, body: Readable.from(['data: one\n\n', 'data: two\n\n']) })
    expect([status, text]).toEqual([200, 'data: one\n\ndata: two\n\n'])
  })
  test('is asked for its head as well, and then closes a stream that nobody reads', async () => {
    const body = Readable.from(['much'])
    expect(await answeredBy({ status: 200, headers: { 'content-length': 4 }, body }, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
    })
    expect(body.destroyed).toBe(true)
  })
  test('hands its handler whom it admitted, and the body that was sent', async () => {
    const { call } = await anEdgeWith({
      method: 'POST',
      admit: ({ headers }) => ({ name: headers.authorization ?? '' }),
      handle: ({ body }, { name }) => jsonAnswer(200, { name, body }),
    })
    const { text } = await call('/v1/things', { method: 'POST', headers: { authorization: 'key' }, json: { a: 1 } })
    expect(JSON.parse(text)).toEqual({ name: 'key', body: { a: 1 } })
  })
  test('needs no session, and counts against no limit of requests', async () => {
    const edge = await anEdge({ requestsPerMinute: () => 1 })
    for (let times = 0; times < 5; times++) expect((await edge.call('/healthz')).status).toBe(200)
  })
})

describe('a refusal outside the envelope', () => {
  test('has its own HTTP status, and in its body what an envelope says', async () => {
    const { call } = await anEdgeWith({
      admit: () => {
        throw new Refusal('tooManyRequests', { retry_after_seconds: 7 })
      },
      handle: () => textAnswer(200, 'never'),
    })
    const { status, headers, envelope } = await call('/v1/things')
    expect([status, headers.get('retry-after')]).toEqual([429, '7'])
    expect(envelope).toEqual({
      code: -1,
      message: 'errors.tooManyRequests',
      result: 'retry_after_seconds: 7',
      values: { retry_after_seconds: 7 },
    })
  })
  test('comes before the body is read', async () => {
    let handled = 0
    const { call } = await anEdgeWith({
      method: 'POST',
      admit: async () => {
        throw new Refusal('userNotLogin')
      },
      handle: () => {
        handled++
        return textAnswer(200, 'never')
      },
    })
    const { status } = await call('/v1/things', {
      method: 'POST',
      body: 'no JSON',
      headers: { 'content-type': 'application/json' },
    })
    expect([status, handled]).toEqual([401, 0])
  })
  test('may read as its route wants', async () => {
    const { call } = await anEdgeWith({
      admit: anyone,
      handle: () => {
        throw new Refusal('resourceNotFound')
      },
      refused: ({ key }) => jsonAnswer(404, { error: { code: key } }),
    })
    const { status, text } = await call('/v1/things')
    expect([status, text]).toEqual([404, '{"error":{"code":"resourceNotFound"}}'])
  })
  test('of a body that is no JSON has a status too', async () => {
    const { call } = await anEdgeWith({ method: 'POST', admit: anyone, handle: () => textAnswer(200, 'never') })
    const sent = (type: string) => call('/v1/things', { method: 'POST', body: '{', headers: { 'content-type': type } })
    expect((await sent('application/json')).status).toBe(422)
    expect((await sent('text/plain')).status).toBe(415)
  })
  test('nobody foresaw is logged with its cause, and shown as an internal error', async () => {
    const { call, lines } = await anEdgeWith({
      admit: anyone,
      handle: () => {
        throw new Error('secret words')
      },
    })
    const { status, headers, text, envelope } = await call('/v1/things')
    expect([status, text.includes('secret')]).toEqual([500, false])
    expect(envelope).toMatchObject({
      message: 'errors.internal',
      values: { request_id: headers.get('x-request-id') },
    })
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'secret words' } })
  })
})
