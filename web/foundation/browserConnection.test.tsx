import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserConnection, readySocket, retryNow } from './browserConnection.ts'
import { useLoginExpired } from './call.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  useLoginExpired.setState({ open: false })
})

class Wire extends EventTarget {
  closed = false
  close(): void {
    this.closed = true
    this.dispatchEvent(new Event('close'))
  }
}

function aReadySocket() {
  const wires: Wire[] = []
  const time = { now: 1_000_000 }
  const ready = readySocket(
    () => {
      const wire = new Wire()
      wires.push(wire)
      return wire as unknown as WebSocket // the two members that are used
    },
    () => time.now,
  )
  return { ready, wires, time }
}

describe('a socket that is opened while somebody writes', () => {
  test('is opened once for many letters, and taken by the first ask alone', () => {
    const { ready, wires } = aReadySocket()
    ready.prepare()
    ready.prepare()
    expect(wires).toHaveLength(1)
    expect(ready.take()).toBe(wires[0])
    expect(ready.take()).toBe(null)
    expect(wires[0]?.closed).toBe(false)
  })

  test('is replaced while writing takes long', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    time.now += 21_000
    ready.prepare()
    expect(wires.map(({ closed }) => closed)).toEqual([true, false])
    expect(ready.take()).toBe(wires[1])
  })

  test('is not relied on after the machine has slept', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    time.now += 3_600_000
    expect(ready.take()).toBe(null)
    expect(wires[0]?.closed).toBe(true)
  })

  test('that was closed from the other side is not tried again for half a minute', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    wires[0]?.close()
    expect(ready.take()).toBe(null)
    time.now += 29_000
    ready.prepare()
    expect(wires).toHaveLength(1)
    time.now += 2_000
    ready.prepare()
    expect(ready.take()).toBe(wires[1])
  })

  test('is dropped when the user changes', () => {
    const { ready, wires } = aReadySocket()
    ready.prepare()
    ready.drop()
    expect(wires[0]?.closed).toBe(true)
    expect(ready.take()).toBe(null)
  })
})

const answering = (answer: object) => vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))

describe('the session behind a refused handshake', () => {
  test('is lost when the portal says so, and the dialog opens', async () => {
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
  test('ends when the network returns', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    window.dispatchEvent(new Event('online'))
    await expect(over).resolves.toBeUndefined()
  })
  test('ends when the page is shown again', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    document.dispatchEvent(new Event('visibilitychange'))
    await expect(over).resolves.toBeUndefined()
  })
  test('ends when somebody presses "retry"', async () => {
    const over = browserConnection.pause(600_000, new AbortController().signal)
    retryNow()
    await expect(over).resolves.toBeUndefined()
  })
  test('ends when the ask is left', async () => {
    const leave = new AbortController()
    const over = browserConnection.pause(600_000, leave.signal)
    leave.abort()
    await expect(over).resolves.toBeUndefined()
  })
  test('ends after its time', async () => {
    await expect(browserConnection.pause(1, new AbortController().signal)).resolves.toBeUndefined()
  })
})

describe('coming back', () => {
  const look = (hidden: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }

  test('of the network is reported', () => {
    const returned = vi.fn<() => void>()
    const forget = browserConnection.onReturn(returned)
    window.dispatchEvent(new Event('online'))
    forget()
    window.dispatchEvent(new Event('online'))
    expect(returned).toHaveBeenCalledOnce()
  })
  test('of a user is reported only after a while', () => {
    const returned = vi.fn<() => void>()
    const forget = browserConnection.onReturn(returned)
    const now = vi.spyOn(Date, 'now')
    now.mockReturnValue(1_000_000)
    look(true)
    now.mockReturnValue(1_020_000)
    look(false)
    expect(returned).not.toHaveBeenCalled()
    look(true)
    now.mockReturnValue(1_060_000)
    look(false)
    forget()
    expect(returned).toHaveBeenCalledOnce()
  })
})

describe('a socket that the browser does not allow', () => {
  test('is one that closes, so that the page can say so', async () => {
    vi.stubGlobal(
      'WebSocket',
      class {
        static readonly CLOSED = 3
        constructor() {
          throw new DOMException('forbidden', 'SecurityError')
        }
      },
    )
    const wire = browserConnection.open()
    const closed = new Promise(resolve => wire.addEventListener('close', resolve))
    expect(wire.readyState).toBe(3)
    await closed
  })
})
