import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectFailure, hungUp, portOf, PUBLIC_ONLY, to, upstream } from '#testing/outboundRequests.ts'
import { openOutbound } from './outbound.ts'

const outbound = openOutbound()
afterAll(() => outbound.close())

describe('a deadline', () => {
  test.each([
    ['connect_timeout', { connect_timeout_ms: 60 }],
    ['total_timeout', { total_timeout_ms: 60 }],
  ] as const)('ends a name lookup: %s', async (kind, deadlines) => {
    await expectFailure(
      kind,
      withoutAnswers().request(to('https://unknown.example', { addresses: PUBLIC_ONLY, ...deadlines })),
    )
  })

  test('ends a question whether an address is allowed', async () => {
    await expectFailure('connect_timeout', withoutAnswers().requireAllowed('https://unknown.example', PUBLIC_ONLY, 60))
  })

  test('ends a connection that is not made', async () => {
    // Accepted by the system but never by the program; with TLS above it nothing is ever said.
    const silent = createTcpServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.close()
    })
    await expectFailure(
      'connect_timeout',
      outbound.request(to(`https://127.0.0.1:${portOf(silent)}`, { connect_timeout_ms: 60 })),
    )
  })

  test('ends a wait for the first byte', async () => {
    const { url, first } = await upstream(() => {})
    await expectFailure('first_byte_timeout', outbound.request(to(url, { first_byte_timeout_ms: 60 })))
    await hungUp(first)
  })

  test('ends a stream that stalls', async () => {
    const { url, first } = await upstream((_request, response) => {
      response.write('one')
    })
    const { body } = await outbound.request(to(url, { idle_timeout_ms: 60 }))
    await expectFailure('idle_timeout', body.text(100))
    await hungUp(first)
  })

  test('does not take for silence what arrived while the process was held up', async () => {
    const { url } = await upstream((_request, response) => {
      response.write('one', () => {
        setTimeout(() => response.end('two'), 1)
      })
    })
    const { body } = await outbound.request(to(url, { idle_timeout_ms: 60 }))
    let came = ''
    await body.each(piece => {
      if (came === '') holdUpFor(120)
      came += String(Buffer.from(piece))
      return 'continue'
    })
    expect(came).toBe('onetwo')
  })

  test('that is for the time between pieces begins anew with each, and ends the first wait that is longer', async () => {
    const { url, first } = await upstream((_request, response) => {
      let sent = 0
      const more = setInterval(() => {
        response.write('piece ')
        sent += 1
        if (sent === 12) clearInterval(more)
      }, 50)
    })
    const { body } = await outbound.request(to(url, { idle_timeout_ms: 500 }))
    let came = ''
    await expectFailure(
      'idle_timeout',
      body.each(piece => {
        came += String(Buffer.from(piece))
        return 'continue'
      }),
    )
    expect(came).toBe('piece '.repeat(12))
    await hungUp(first)
  })

  test('for the first byte lasts until its reader says that it has begun, however much comes before; then pauses count', async () => {
    const dripping = () =>
      upstream((_request, response) => {
        const more = setInterval(() => response.write('.'), 5)
        response.on('close', () => clearInterval(more))
      })
    const waiting = { first_byte_timeout_ms: 150, keeps_first_byte_deadline: true, idle_timeout_ms: 5_000 }
    const { body } = await outbound.request(to((await dripping()).url, waiting))
    await expectFailure(
      'first_byte_timeout',
      body.each(() => 'continue'),
    )
    const { url } = await upstream((_request, response) => {
      response.write('one')
    })
    const second = await outbound.request(to(url, { ...waiting, first_byte_timeout_ms: 5_000, idle_timeout_ms: 60 }))
    await expectFailure(
      'idle_timeout',
      second.body.each(() => {
        second.body.useIdleDeadline()
        return 'continue'
      }),
    )
  })

  test('for pauses is none to who is not in a hurry, but the whole has its own', async () => {
    const { url } = await upstream((_request, response) => {
      response.write('one')
    })
    for (const keeps_first_byte_deadline of [true, false]) {
      const { body } = await outbound.request(
        to(url, { first_byte_timeout_ms: 300, keeps_first_byte_deadline, idle_timeout_ms: 60, total_timeout_ms: 500 }),
      )
      body.useTotalDeadlineOnly()
      await expectFailure(
        'total_timeout',
        body.each(() => 'continue'),
      )
    }
  })

  test('further away than a timer can count does not end what is asked now', async () => {
    const { url } = await upstream((_request, response) => {
      setTimeout(() => response.end('ok'), 50)
    })
    const far = 2 ** 31
    const { body } = await outbound.request(
      to(url, { connect_timeout_ms: far, first_byte_timeout_ms: far, idle_timeout_ms: far, total_timeout_ms: far }),
    )
    expect(await body.text(10)).toBe('ok')
  })

  test('ends a stream that never ends', async () => {
    const { url } = await upstream((_request, response) => {
      const more = setInterval(() => response.write('more'), 5)
      response.on('close', () => clearInterval(more))
    })
    const { body } = await outbound.request(to(url, { total_timeout_ms: 150 }))
    await expectFailure('total_timeout', body.text(1_000_000))
  })
})

/** A way out whose name server says nothing. */
function withoutAnswers() {
  return openOutbound({ resolve: () => {} })
}

/** Nothing else of the process runs for so long. */
function holdUpFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
