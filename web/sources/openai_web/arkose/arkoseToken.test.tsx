import { afterEach, describe, expect, test, vi } from 'vitest'
import { fetchArkoseToken } from './arkoseToken.ts'

const FRAME_URL = '/api/arkose/frame/ticket'

const forever = () => new AbortController().signal

/** The portal gives an address, or refuses. */
function serve(frame_url: string | null = FRAME_URL): void {
  const answer =
    frame_url === null
      ? { code: 404, message: 'errors.resourceNotFound', result: null }
      : { code: 200, message: '', result: { frame_url } }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
}

const frameOf = () => vi.waitUntil(() => document.querySelector<HTMLIFrameElement>('iframe[title=Arkose]'))

const says = (source: Window | null, data: unknown, origin = 'null') =>
  window.dispatchEvent(new MessageEvent('message', { source, data, origin }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a token of the Arkose endpoint', () => {
  test('is accepted from the sandboxed frame only, in its shape, and the frame is removed then', async () => {
    serve()
    const outcome = fetchArkoseToken(forever())
    const frame = await frameOf()
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    const token = (text: string) => ({ arkose: 'token', token: text })
    says(window, token('of another window'))
    says(frame.contentWindow, token('of a frame with an origin'), location.origin)
    for (const wrong of [null, 'token', {}, token(''), token('x'.repeat(4097)), { arkose: 'token', token: 7 }])
      says(frame.contentWindow, wrong)
    says(frame.contentWindow, token('x'.repeat(4096)))
    expect(await outcome).toEqual({ token: 'x'.repeat(4096) })
    expect(document.querySelector('iframe')).toBe(null)
  })

  test('is none where the frame says that it failed, where nothing comes in time, and where nobody waits any more', async () => {
    serve()
    const failing = fetchArkoseToken(forever())
    says((await frameOf()).contentWindow, { arkose: 'failed', reason: 'script' })
    expect(await failing).toEqual({ failed: 'script' })
    expect(await fetchArkoseToken(forever(), 1)).toEqual({ failed: 'late' })
    const left = new AbortController()
    const leaving = fetchArkoseToken(left.signal)
    await frameOf()
    left.abort()
    expect(await leaving).toEqual({ failed: 'aborted' })
    expect(document.querySelector('iframe')).toBe(null)
  })

  test('is awaited longer while somebody solves a puzzle, which can be skipped', async () => {
    serve()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const dialog = () => document.querySelector('dialog')
    const shown = async () => {
      const outcome = fetchArkoseToken(forever())
      const frame = await frameOf()
      expect(dialog()?.open).toBe(false)
      for (let often = 0; often < 2; often++) says(frame.contentWindow, { arkose: 'shown' })
      expect(dialog()?.matches(':modal')).toBe(true)
      return { outcome, source: frame.contentWindow }
    }
    const solved = await shown()
    vi.advanceTimersByTime(119_000)
    says(solved.source, { arkose: 'token', token: 'solved' })
    expect(await solved.outcome).toEqual({ token: 'solved' })
    const left = await shown()
    vi.advanceTimersByTime(120_000)
    expect(await left.outcome).toEqual({ failed: 'late' })
    const skipped = await shown()
    dialog()?.querySelector('button')?.click()
    expect(await skipped.outcome).toEqual({ failed: 'skipped' })
    const escaped = await shown()
    dialog()?.dispatchEvent(new Event('cancel'))
    expect(await escaped.outcome).toEqual({ failed: 'skipped' })
    expect(dialog()).toBe(null)
  })

  test('is none where the page lets no frame in, and where the portal gives no address of its own', async () => {
    serve()
    const blocked = fetchArkoseToken(forever())
    await frameOf()
    const violation = { effectiveDirective: 'frame-src', violatedDirective: 'frame-src', documentURI: '' } as const
    const event = { originalPolicy: '', statusCode: 200, disposition: 'enforce', ...violation } as const
    document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', event))
    expect(await blocked).toEqual({ failed: 'blocked' })
    for (const address of [null, 'https://evil.example/', '//evil.example/']) {
      serve(address)
      expect(await fetchArkoseToken(forever())).toEqual({ failed: 'unreachable' })
    }
  })
})
