import { afterEach, describe, expect, test, vi } from 'vitest'
import { reasonOf } from './refusedFile.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a file of the portal that could not be shown', () => {
  test('is refused with the words and the code of the portal, or of who answered in its place', async () => {
    const answers: [Response, string | null][] = [
      [
        Response.json({ code: 502, message: 'errors.openai.429', result: null }, { status: 502 }),
        '502 上游的次数或额度',
      ],
      [Response.json({ code: 404, message: 'errors.resourceNotFound', result: null }, { status: 404 }), '404 没有找到'],
      [new Response('<html>', { status: 503 }), '代理（HTTP 503）'],
      [new Response('a picture'), null],
    ]
    for (const [answer, why] of answers) {
      vi.stubGlobal('fetch', () => Promise.resolve(answer))
      const reason = await reasonOf('/api/files/file-1/content', new AbortController().signal)
      if (why === null) expect(reason).toBe(null)
      else expect(reason).toContain(why)
    }
  })

  test('is not refused when nobody answers, or nobody waits for it any more', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await reasonOf('/api/files/file-1/content', new AbortController().signal)).toContain('没有连上服务器')
    expect(await reasonOf('/api/files/file-1/content', AbortSignal.abort())).toBe(null)
  })
})
