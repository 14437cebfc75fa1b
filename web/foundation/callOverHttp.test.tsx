import * as z from 'zod/mini'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { login, readMe, updateMe } from '#contract/users.ts'
import { listConversations } from '#contract/conversations.ts'
import { answerCalls, aUser, freshDevice, refusal, success } from './api.testing.ts'
import { call, TransportFailure, useLoginExpired } from './call.ts'

function answerWith(response: Response | Error) {
  const spy = vi
    .spyOn(window, 'fetch')
    .mockImplementation(() => (response instanceof Error ? Promise.reject(response) : Promise.resolve(response)))
  onTestFinished(() => spy.mockRestore())
  return spy
}

beforeEach(freshDevice)

describe('a call', () => {
  test('gives the parsed result', async () => {
    answerCalls({ 'GET /user/me': success({ ...aUser(), more: 'than the contract knows' }) })
    expect(await call(readMe, {})).toEqual(aUser())
  })
  test('sends JSON as JSON, and a form as a form', async () => {
    const spy = answerWith(Response.json(success(aUser())))
    await call(updateMe, { body: { nickname: '小雨' } })
    expect(spy.mock.lastCall?.[1]).toMatchObject({
      method: 'PATCH',
      body: '{"nickname":"小雨"}',
      headers: { 'content-type': 'application/json' },
    })
    spy.mockResolvedValue(Response.json(success()))
    await call(login, { body: { username: 'a', password: 'b' } })
    expect(spy.mock.lastCall?.[1]).toMatchObject({
      method: 'POST',
      body: new URLSearchParams({ username: 'a', password: 'b' }),
      headers: {},
    })
  })
  test('uses the response to what was sent before the scripts ran, and sends it again when that failed', async () => {
    const spy = answerWith(Response.json(success([])))
    vi.spyOn(performance, 'now').mockReturnValue(1000)
    globalThis.sentAhead = { 'GET /api/conv': Promise.resolve(Response.json(success([]))) }
    expect(await call(listConversations, {})).toEqual([])
    expect(spy).not.toHaveBeenCalled()
    globalThis.sentAhead = { 'GET /api/conv': Promise.reject(new TypeError('no network')) }
    expect(await call(listConversations, {})).toEqual([])
    expect(spy).toHaveBeenCalledOnce()
  })
  test.each([201, 204])('takes code %i as success', async code => {
    answerCalls({ 'GET /conv': { ...success([]), code } })
    expect(await call(listConversations, {})).toEqual([])
  })
  test('that is refused throws the refusal', async () => {
    answerCalls({ 'GET /conv': refusal('tooManyRequests', { values: { retry_after_seconds: 5 } }) })
    await expect(call(listConversations, {})).rejects.toMatchObject({
      key: 'tooManyRequests',
      code: -1,
      values: { retry_after_seconds: 5 },
    })
    expect(useLoginExpired.getState().open).toBe(false)
  })
  test('that finds the session gone opens the dialog, unless the caller acts itself', async () => {
    answerCalls({ 'GET /conv': refusal('userNotLogin') })
    await expect(call(listConversations, {}, { lostSession: 'throw' })).rejects.toMatchObject({ code: 10401 })
    expect(useLoginExpired.getState().open).toBe(false)
    await expect(call(listConversations, {})).rejects.toMatchObject({ code: 10401 })
    expect(useLoginExpired.getState().open).toBe(true)
  })
  test.each([
    ['no answer', new TypeError('Failed to fetch'), null],
    ['a page of a proxy', new Response('<html>Bad Gateway</html>', { status: 502 }), 502],
    ['a page of a proxy with status 200', new Response('<html>Sign in to the network</html>'), 200],
    ['JSON that is no envelope', Response.json({ detail: 'Not Found' }, { status: 404 }), 404],
    ['a result that is not the declared one', Response.json(success({ id: 'seven' })), null],
  ])(
    'that gets %s fails as transport, with the status where it was not the portal that answered',
    async (_, answer, status) => {
      answerWith(answer)
      const failure: unknown = await call(readMe, {}).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(TransportFailure)
      expect(failure).toMatchObject({ status })
    },
  )
  test('that gets a long answer has all of it', async () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `word ${at}`)
    answerWith(Response.json(success(words)))
    expect(await call({ ...listConversations, result: z.array(z.string()) }, {})).toEqual(words)
  })
  test('that gets a long answer that is no JSON fails as transport', async () => {
    answerWith(new Response('<p>Bad Gateway</p>'.repeat(10_000), { status: 502 }))
    await expect(call(readMe, {})).rejects.toThrow('HTTP 502')
  })
  test('that is aborted ends as such', async () => {
    const leaving = new AbortController()
    leaving.abort()
    await expect(call(readMe, {}, { signal: leaving.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
