import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readMe } from '#contract/users.ts'
import { uploadLocally } from '#contract/files.ts'
import { freshDevice } from './api.testing.ts'
import { call, TransportFailure } from './call.ts'
import { sendWithProgress } from './sendWithProgress.ts'

/** Whoever serves these tests knows no such call. */
const NOWHERE = '/api/nowhere-at-all'
const shares: number[] = []
const send = sendWithProgress(share => shares.push(share))
const post = (signal: AbortSignal | null = null, address = NOWHERE) =>
  send(address, { method: 'POST', headers: { 'x-kind': 'test' }, body: new Blob(['x'.repeat(100_000)]), signal })

beforeEach(() => {
  freshDevice()
  shares.length = 0
})

describe('what is sent', () => {
  test('reports its progress until the end, and resolves like fetch', async () => {
    const response = await post()
    expect(response.status).toBe((await fetch(NOWHERE, { method: 'POST', body: 'x' })).status)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })
  test('takes its headers along', async () => {
    const setHeader = vi.spyOn(XMLHttpRequest.prototype, 'setRequestHeader')
    await post()
    expect(setHeader.mock.calls).toEqual([['x-kind', 'test']])
    setHeader.mockRestore()
  })
  test('is cut by the signal, with its reason', async () => {
    const leaving = new AbortController()
    const sent = post(leaving.signal)
    leaving.abort()
    await expect(sent).rejects.toBe(leaving.signal.reason)
    await expect(post(AbortSignal.abort('gone'))).rejects.toBe('gone')
  })
  test('is given up after the longest allowed pause without progress', async () => {
    vi.useFakeTimers()
    const uploads: XMLHttpRequestUpload[] = []
    const silent = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
      uploads.push(this.upload)
    })
    try {
      const sent = sendWithProgress(() => {}, 1000)(NOWHERE, { method: 'PUT', headers: {}, body: 'x', signal: null })
      const ended = vi.fn<(error: unknown) => void>()
      const rejected = sent.catch(ended)
      vi.advanceTimersByTime(900)
      uploads[0]?.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 2 }))
      await vi.advanceTimersByTimeAsync(900)
      expect(ended).not.toHaveBeenCalled()
      vi.advanceTimersByTime(100)
      await rejected
      expect(ended).toHaveBeenCalledWith(new TypeError('no answer'))
    } finally {
      silent.mockRestore()
      vi.useRealTimers()
    }
  })
  test('without a server is rejected, and fails a call as transport', async () => {
    await expect(post(null, 'http://127.0.0.1:1/')).rejects.toBeInstanceOf(TypeError)
    await expect(call(readMe, {}, { send: () => Promise.reject(new TypeError('no answer')) })).rejects.toBeInstanceOf(
      TransportFailure,
    )
  })
})

test('a call sends its file as a form, and leaves the content type to the browser', async () => {
  const given = vi.fn<(address: string, body: unknown, headers: object) => void>()
  await call(
    uploadLocally,
    { body: { file: new File(['abc'], '表.csv') } },
    {
      send: (address, { body, headers }) => {
        given(address, body, headers)
        return Promise.reject(new TypeError('enough'))
      },
    },
  ).catch(() => undefined)
  const [address, body, headers] = given.mock.lastCall ?? []
  expect([address, headers]).toEqual(['/api/files/local/upload', {}])
  expect(body instanceof FormData && body.get('file')).toMatchObject({ name: '表.csv', size: 3 })
})
