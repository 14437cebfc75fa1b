import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserConnection, tryNow } from './browserConnection.ts'
import { useLoginExpired } from './loginExpired.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  useLoginExpired.setState({ open: false })
})

const answering = (answer: object) => vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))

describe('the session behind a refused handshake', () => {
  test('is lost when the portal says so, and the dialog asks', async () => {
    answering({ code: 10401, message: 'errors.loginExpired', result: null })
    expect(await browserConnection.session()).toBe('lost')
    expect(useLoginExpired.getState().open).toBe(true)
  })
  test('is held when the portal refuses for another reason', async () => {
    answering({ code: -1, message: 'errors.tooManyRequests', result: null })
    expect(await browserConnection.session()).toBe('held')
  })
  test('is unknown when the portal cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(await browserConnection.session()).toBe('unreachable')
  })
})

describe('a pause', () => {
  test('is over when the network is back, however long it would have been', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    window.dispatchEvent(new Event('online'))
    await expect(over).resolves.toBeUndefined()
  })
  test('is over when somebody looks at the page again', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    document.dispatchEvent(new Event('visibilitychange'))
    await expect(over).resolves.toBeUndefined()
  })
  test('is over when somebody asks for the next try', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    tryNow()
    await expect(over).resolves.toBeUndefined()
  })
  test('is over when the ask is left', async () => {
    const leave = new AbortController()
    const over = browserConnection.pause(600_000, leave.signal)
    leave.abort()
    await expect(over).resolves.toBeUndefined()
  })
  test('is over after its time', async () => {
    await expect(browserConnection.pause(1, new AbortController().signal)).resolves.toBeUndefined()
  })
})

describe('coming back', () => {
  const look = (hidden: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }

  test('of the network is told', () => {
    const told = vi.fn<() => void>()
    const forget = browserConnection.onReturn(told)
    window.dispatchEvent(new Event('online'))
    forget()
    window.dispatchEvent(new Event('online'))
    expect(told).toHaveBeenCalledOnce()
  })
  test('of a person is told only after a while', () => {
    const told = vi.fn<() => void>()
    const forget = browserConnection.onReturn(told)
    const now = vi.spyOn(Date, 'now')
    now.mockReturnValue(1_000_000)
    look(true)
    now.mockReturnValue(1_020_000)
    look(false)
    expect(told).not.toHaveBeenCalled()
    look(true)
    now.mockReturnValue(1_060_000)
    look(false)
    forget()
    expect(told).toHaveBeenCalledOnce()
  })
})
