import { describe, expect, test } from 'vitest'
import { DIALECTS } from '#contract/gateway.ts'
import { FORMS } from './readRequest.ts'
import type { RefusalKind, ToolRefusal } from './toolRefusal.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const in_seconds = (seconds: number) => ({ seconds, time: NOW + seconds * 1000 })
const aRefusal = (kind: RefusalKind, again: ToolRefusal['again'] = null): ToolRefusal => ({
  kind,
  message: 'Your share is used up. Next: 14:20.',
  again,
  param: null,
})
const refused = (kind: RefusalKind, again?: ToolRefusal['again']) =>
  DIALECTS.map(dialect => FORMS[dialect].refused(aRefusal(kind, again)))

const FACTS = { id: 'resp_1', model: 'gpt-4', create_time: NOW, sequence: 3 }

describe('a refusal', () => {
  test('stands where tools of the dialect look for it', () => {
    const [chat, responses, messages] = refused('invalid')
    const message = 'Your share is used up. Next: 14:20.'
    expect(chat?.body).toEqual({
      error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request' },
    })
    expect(responses?.body).toEqual(chat?.body)
    expect(messages?.body).toEqual({ type: 'error', error: { type: 'invalid_request_error', message } })
  })
  test('of a key is not tried again', () => {
    for (const { status, headers } of refused('badKey')) {
      expect(status).toBe(401)
      expect(headers).toEqual({ 'x-should-retry': 'false' })
    }
  })
  test.each(['notAllowed', 'unknownModel'] as const)('%s: no model, in messages no permission', kind => {
    const [chat, responses, messages] = refused(kind)
    for (const each of [chat, responses])
      expect(each).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } })
    expect(messages).toMatchObject({ status: 403, body: { error: { type: 'permission_error' } } })
  })
  test('of a limit within a minute lets the tool wait by itself', () => {
    for (const { status, headers } of refused('limit', in_seconds(60))) {
      expect(status).toBe(429)
      expect(headers).toEqual({ 'retry-after': '60' })
    }
  })
  test('of a limit until later says so once, in the way that the tool shows', () => {
    const [chat, responses, messages] = refused('limit', in_seconds(8400))
    for (const each of [chat, responses, messages])
      expect(each).toMatchObject({ status: 429, headers: { 'retry-after': '8400', 'x-should-retry': 'false' } })
    expect(chat).toMatchObject({ body: { error: { code: 'rate_limit_exceeded' } } })
    expect(messages).toMatchObject({ body: { error: { type: 'billing_error' } } })
    expect(responses).toMatchObject({
      headers: { 'x-codex-promo-message': 'Your share is used up. Next: 14:20' },
      body: { error: { type: 'usage_limit_reached', resets_at: NOW / 1000 + 8400 } },
    })
  })
  test('with letters that no header takes leaves the header out', () => {
    const { headers } = FORMS.responses.refused({ ...aRefusal('limit', in_seconds(999)), message: '主账号用完了' })
    expect(headers).not.toHaveProperty('x-codex-promo-message')
  })
  test('of an upstream that is away: 503, and Codex is not sent to sleep', () => {
    for (const again of [null, in_seconds(30), in_seconds(600)]) {
      const [chat, responses, messages] = refused('upstreamAway', again)
      for (const each of [chat, responses, messages]) expect(each?.status).toBe(503)
      expect(responses?.headers).not.toHaveProperty('retry-after')
      expect(responses).toMatchObject({ body: { error: { code: 'server_is_overloaded' } } })
      for (const each of [chat, messages]) {
        expect(each?.headers['x-should-retry']).toBe('false')
        expect(each?.headers['retry-after']).toBe(again?.seconds === 600 ? '600' : undefined)
      }
    }
  })
  test('of content is not tried again', () => {
    const [chat, responses, messages] = refused('content')
    for (const each of [chat, responses])
      expect(each).toMatchObject({ status: 400, body: { error: { code: 'invalid_prompt' } } })
    expect(JSON.stringify(messages?.body)).toContain('Output blocked by content filtering policy')
  })
  test('of what is wrong here is never a 500 of responses', () => {
    expect(refused('internal').map(({ status }) => status)).toEqual([500, 503, 500])
  })
})

describe('whoever waits', () => {
  test('is kept waiting by what the dialect knows, with the position in a comment', () => {
    expect(FORMS.chat.waiting(2, FACTS)).toBe(': place 2\n\n')
    expect(FORMS.messages.waiting(2, FACTS)).toBe(': place 2\n\nevent: ping\ndata: {"type":"ping"}\n\n')
    const [comment, event, data] = FORMS.responses.waiting(2, FACTS).split('\n').filter(Boolean)
    expect([comment, event]).toEqual([': place 2', 'event: response.queued'])
    expect(JSON.parse(data?.slice('data: '.length) ?? '')).toMatchObject({
      type: 'response.queued',
      sequence_number: 3,
      response: { id: 'resp_1', status: 'queued', model: 'gpt-4' },
    })
    expect(FORMS.chat.waiting(null, FACTS)).toMatch(/^: .*\n\n$/)
  })
})

describe('a stream that cannot go on', () => {
  test('ends with an error of its dialect', () => {
    const refusal = aRefusal('upstreamAway')
    expect(FORMS.chat.brokenOff(refusal, FACTS)).toMatch(/^data: \{"error":\{"message":"Your share.*\n\n$/)
    expect(FORMS.messages.brokenOff(refusal, FACTS)).toMatch(/^event: error\ndata: \{"type":"error","error":/)
    expect(FORMS.responses.brokenOff(refusal, FACTS)).toMatch(
      /^event: response.failed\ndata: \{"type":"response.failed"/,
    )
  })
  test.each([
    ['content', 'invalid_prompt'],
    ['badKey', 'invalid_prompt'],
    ['limit', 'rate_limit_exceeded'],
    ['upstreamAway', 'server_error'],
  ] as const)('for %s is %s of responses', (kind, code) => {
    expect(FORMS.responses.brokenOff(aRefusal(kind), FACTS)).toContain(`"code":"${code}"`)
  })
})

describe('the end of a stream', () => {
  test.each([
    ['chat', 'data: {"choices":[]}\n\ndata: [DONE]\n\n', true],
    ['chat', 'data: {"choices":[{"delta":{"content":"data: [DONE]"}}]}\n\n', false],
    ['responses', 'event: response.completed\ndata: {}\n\n', true],
    ['responses', 'data: {"type":"response.incomplete"}\n\n', true],
    ['responses', 'event: response.output_text.delta\ndata: {"delta":"event: response.completed"}\n\n', false],
    ['messages', 'event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
    ['messages', 'event: error\ndata: {}\n\n', true],
    ['messages', 'event: message_delta\ndata: {}\n\n', false],
  ] as const)('in %s: %j: %s', (dialect, events, ends) => {
    expect(FORMS[dialect].ends(events)).toBe(ends)
  })
})
