import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { edgeWithSockets, hasClosed } from '#testing/edgeSockets.ts'

describe('messages from a client', () => {
  test('wait until somebody takes them, in their order', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    client.send('one')
    client.send('二')
    expect(await socket.next()).toEqual({ text: 'one' })
    expect(await socket.next(5000)).toEqual({ text: '二' })
  })
  test('are waited for, but not longer than told', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    const waited = socket.next(5000)
    client.send('late')
    expect(await waited).toEqual({ text: 'late' })
    expect(await socket.next(10)).toBe(null)
    client.send('later')
    expect(await socket.next(5000)).toEqual({ text: 'later' })
  })
  test('go to a listener once there is one, those that wait first', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    client.send('one')
    client.send('two')
    client.send('three')
    await socket.next()
    const received: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.onMessage(text => {
      received.push(text)
      if (text === 'four') resolve()
    })
    client.send('four')
    await promise
    expect(received).toEqual(['two', 'three', 'four'])
  })
  test('come no more when the socket is closed', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    const waited = socket.next()
    client.close()
    expect(await waited).toBe(null)
    expect(await socket.next()).toBe(null)
  })
})

describe('a client is closed', () => {
  test.each([
    ['that sends bytes', (client: WebSocket) => client.send(Buffer.from([1, 2, 3])), 1003, 'text only'],
    [
      'that sends more than allowed',
      (client: WebSocket) => client.send('x'.repeat(100_001)),
      1009,
      'errors.bodyTooLarge',
    ],
    ['that sends far more than allowed', (client: WebSocket) => client.send('x'.repeat(200_001)), 1009, ''],
    [
      'that sends on and on',
      (client: WebSocket) => {
        for (let times = 0; times < 1000; times++) client.send('{}')
      },
      1008,
      'too many messages',
    ],
  ] as const)('%s', async (_what, misbehave, code, reason) => {
    const edge = await edgeWithSockets()
    const other = await edge.connected({ as: 'ben' })
    const { client, socket } = await edge.connected({ as: 'ann' })
    misbehave(client)
    const [closeCode, why] = await once(client, 'close')
    expect([closeCode, String(why)]).toEqual([code, reason])
    await hasClosed(socket)
    expect(other.socket.closed.aborted).toBe(false)
  })
  test('that floods a listener', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    let received = 0
    socket.onMessage(() => {
      received++
    })
    for (let times = 0; times < 2000; times++) client.send('{}')
    expect((await once(client, 'close'))[0]).toBe(1008)
    expect(received).toBe(500)
  })
  test.each([
    // A client's frames carry a mask; all zero leaves the bytes as they are.
    ['whose text is no UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
    ['whose frames are none', Buffer.from([0xff, 0xff, 0xff]), 1002],
    ['that compresses without having been told it may', Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x61]), 1002],
  ])('%s', async (_what, bytes, code) => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    rawOf(client).write(bytes)
    expect((await once(client, 'close'))[0]).toBe(code)
    await hasClosed(socket)
  })
})

describe('what is sent', () => {
  test('arrives as text, the same to several', async () => {
    const edge = await edgeWithSockets()
    const ann = await edge.connected({ as: 'ann' })
    const ben = await edge.connected({ as: 'ben' })
    const received = [ann, ben].map(async ({ client }) => (await once(client, 'message')).map(String))
    for (const { socket } of [ann, ben]) socket.send('你好 😀')
    expect(await Promise.all(received)).toEqual([
      ['你好 😀', 'false'],
      ['你好 😀', 'false'],
    ])
  })
  test('keeps its order and its bytes', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    const texts = Array.from({ length: 500 }, (_, at) => `${at} ${'é'.repeat(at % 300)}`)
    const received: string[] = []
    const done = new Promise<void>(resolve => {
      client.on('message', data => {
        if (received.push(String(data)) === texts.length) resolve()
      })
    })
    for (const text of texts) socket.send(text)
    await done
    expect(received).toEqual(texts)
  })
  test('after the end goes nowhere and harms nothing', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    client.terminate()
    await hasClosed(socket)
    socket.send('x')
    socket.close(1000, '')
    expect(socket.buffered()).toBe(0)
  })
})

describe('a slow reader', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024)

  test('shows in what is buffered, and is waited for', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    client.pause()
    for (let times = 0; times < 16; times++) socket.send(MEGABYTE)
    expect(socket.buffered()).toBeGreaterThan(1024 * 1024)
    expect(await socket.drained(1000, 30)).toBe(false)
    const drained = socket.drained(1000, 10_000)
    client.resume()
    expect(await drained).toBe(true)
    expect(socket.buffered()).toBeLessThan(1000)
  })
  test('who goes away is not waited for', async () => {
    const { client, socket } = await (await edgeWithSockets()).connected()
    client.pause()
    for (let times = 0; times < 16; times++) socket.send(MEGABYTE)
    const drained = socket.drained(1000, 10_000)
    client.terminate()
    expect(await drained).toBe(false)
  })
  test('who is none has drained at once', async () => {
    const { socket } = await (await edgeWithSockets()).connected()
    expect(await socket.drained(1, 1000)).toBe(true)
  })
})

/** The connection under a client, to send what no client would. */
function rawOf(client: WebSocket): { write(bytes: Buffer): void } {
  // ws has no other way to it.
  return (client as unknown as { _socket: { write(bytes: Buffer): void } })._socket
}
