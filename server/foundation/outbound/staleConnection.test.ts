import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { endOfBody, expectFailure, hungUp, to, upstream } from '#testing/outboundRequests.ts'
import { openOutbound, OutboundFailure } from './outbound.ts'
import { retryStale, StaleConnection } from './failure.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

/** No deadline of the request's own ends it. */
const PATIENT = { idle_timeout_ms: 600_000, total_timeout_ms: 600_000 }

describe('a connection', () => {
  test('is used again', async () => {
    const { url, requests } = await upstream((_request, response) => {
      response.end('ok')
    })
    for (let times = 0; times < 2; times++) {
      await (await outbound.request(to(url))).body.text(10)
      await turnOfTheLoop()
    }
    expect(requests[0]?.socket.remotePort).toBe(requests[1]?.socket.remotePort)
  })

  test('is kept when its body came whole with what its reader wanted last', async () => {
    const { url, requests } = await upstream((_request, response) => {
      response.end('ok')
    })
    for (let times = 0; times < 2; times++) {
      await (await outbound.request(to(url))).body.each(() => 'cancel')
      await turnOfTheLoop()
    }
    expect(requests[0]?.socket.remotePort).toBe(requests[1]?.socket.remotePort)
  })

  test('is kept when the end of a complete body comes a moment later', async () => {
    const { url, requests, responses } = await upstream((_request, response) => {
      response.write('ok')
    })
    const { body } = await outbound.request(to(url))
    await body.each(() => 'done')
    body.destroy()
    const ended = endOfBody()
    responses[0]?.end(' ')
    await ended
    await outbound.request(to(url))
    expect(requests[0]?.socket).toBe(requests[1]?.socket)
  })

  test('is hung up when that end does not come, whatever drips in', async () => {
    const { url, first } = await upstream((_request, response) => {
      const drip = setInterval(() => {
        response.write('.')
      }, 100)
      response.on('close', () => clearInterval(drip))
    })
    const { body } = await outbound.request(to(url, PATIENT))
    await body.each(() => 'done')
    await hungUp(first)
  })

  test('is hung up when more comes in its place', async () => {
    const { url, first, responses } = await upstream((_request, response) => {
      response.write('ok')
    })
    const { body } = await outbound.request(to(url, PATIENT))
    vi.useFakeTimers({ toFake: ['setTimeout'] }) // so that it cannot be for the time
    onTestFinished(() => {
      vi.useRealTimers()
    })
    await body.each(() => 'done')
    responses[0]?.write('x'.repeat(2_000))
    await hungUp(first)
  })

  test('waits for the next request while somebody reads the answer, and not for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    // This header in place of Node's own, which says how long the server waits.
    const { url, requests } = await upstream((_request, response) => {
      response.setHeader('connection', 'keep-alive').end('ok')
    })
    const ask = async () => {
      await (await outbound.request(to(url))).body.text(10)
      await turnOfTheLoop()
    }
    await ask()
    await vi.advanceTimersByTimeAsync(170_000)
    await ask()
    expect(requests[1]?.socket).toBe(requests[0]?.socket)
    await vi.advanceTimersByTimeAsync(190_000)
    await ask()
    expect(requests[2]?.socket).not.toBe(requests[1]?.socket)
  })
})

describe('a request on a connection', () => {
  test.each(['destroy', 'resetAndDestroy'] as const)(
    'that was kept goes out once more when it is lost: %s',
    async lose => {
      const { url, requests } = await upstream((request, response) => {
        // The first connection is dropped as soon as it is used again.
        if (requests.length === 2) request.socket[lose]()
        else response.end('ok')
      })
      expect(await (await outbound.request(to(url))).body.text(10)).toBe('ok')
      await turnOfTheLoop()
      expect(await (await outbound.request(to(url, { method: 'POST', body: '{}' }))).body.text(10)).toBe('ok')
      expect(requests).toHaveLength(3)
      expect(requests[0]?.socket).toBe(requests[1]?.socket)
    },
  )

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'of its own goes out once when it is lost: %s',
    async lose => {
      const { url, requests } = await upstream(request => {
        request.socket[lose]()
      })
      await expectFailure('network', outbound.request(to(url, { method: 'POST', body: '{}' })))
      expect(requests).toHaveLength(1)
    },
  )

  test('that brought an interim answer goes out once', async () => {
    const { url, requests } = await upstream((request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => request.socket.resetAndDestroy())
    })
    await expectFailure('network', outbound.request(to(url, { method: 'POST', body: '{}' })))
    expect(requests).toHaveLength(1)
  })

  test('that is lost again goes out twice at most', async () => {
    const { url, requests } = await upstream((request, response) => {
      if (requests.length > 2) request.socket.resetAndDestroy()
      else response.end('ok')
    })
    // Two connections are kept, and both are reset when they are used again.
    const both = await Promise.all([outbound.request(to(url)), outbound.request(to(url))])
    await Promise.all(both.map(({ body }) => body.text(10)))
    await turnOfTheLoop()
    await expectFailure('network', outbound.request(to(url, { method: 'POST', body: '{}' })))
    expect(requests).toHaveLength(4)
  })
})

describe('what is sent once more', () => {
  test('has what is left of the time, and is not sent a third time', async () => {
    const times: number[] = []
    const stale = new StaleConnection({ cause: new Error('closed') })
    const sent = retryStale(10_000, async total_timeout_ms => {
      times.push(total_timeout_ms)
      await turnOfTheLoop()
      throw stale
    })
    await expect(sent).rejects.toBe(stale)
    expect(times).toEqual([10_000, expect.any(Number)])
    expect(times[1]).toBeLessThan(10_000)
    expect(times[1]).toBeGreaterThan(0)
  })
  test('is nothing that failed in another way', async () => {
    let times = 0
    const sent = retryStale(10_000, async () => {
      times++
      throw new OutboundFailure('network')
    })
    await expectFailure('network', sent)
    expect(times).toBe(1)
  })
})
