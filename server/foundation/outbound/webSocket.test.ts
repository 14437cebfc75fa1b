import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, describe, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { expectFailure, PATIENT_SOCKET, portOf, PUBLIC_ONLY } from '#testing/outboundRequests.ts'
import { openOutbound } from './outbound.ts'
import type { FrameReader, OutboundSocketRequest } from './webSocket.ts'

/** A WebSocket server for one test. `accepts: false` never answers the upgrade. */
async function socketServer(serve: (socket: WebSocket) => void = () => {}, accepts = true) {
  const requests: IncomingMessage[] = []
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((_request, response) => void response.writeHead(403).end())
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<number>()
  server.on('upgrade', (request, socket, head) => {
    onTestFinished(() => void socket.destroy())
    requests.push(request)
    if (!accepts) return
    sockets.handleUpgrade(request, socket, head, opened => {
      opened.on('close', onClosed)
      opened.on('error', () => {})
      serve(opened)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate()
    server.close().closeAllConnections()
  })
  return { url: `ws://127.0.0.1:${portOf(server)}/client?token=t`, requests, closed }
}

function read(url: string, more: Partial<OutboundSocketRequest> = {}, reader: FrameReader = () => 'continue') {
  const outbound = openOutbound()
  onTestFinished(() => outbound.close())
  return outbound.webSocket({ ...PATIENT_SOCKET, url, ...more }, reader)
}

describe('an outgoing WebSocket', () => {
  test('hands over each frame of text, sends, and hangs up when its reader has enough', async () => {
    const received: string[] = []
    const { url, requests, closed } = await socketServer(socket => {
      socket.on('message', data => received.push(String(data)))
      for (const frame of ['one', 'two', 'three', 'four']) socket.send(frame)
      socket.send(Buffer.from('bytes'), { binary: true })
    })
    const frames: string[] = []
    await read(url, {}, (frame, { send }) => {
      frames.push(frame)
      send(`heard ${frame}`)
      return frame === 'three' ? 'done' : 'continue'
    })
    await closed
    expect(frames).toEqual(['one', 'two', 'three'])
    expect(received).toEqual(['heard one', 'heard two', 'heard three'])
    expect(requests[0]?.headers).toMatchObject({ 'sec-websocket-protocol': 'some.protocol' })
    expect(requests[0]?.url).toBe('/client?token=t')
    expect(requests[0]?.headers.authorization).toBe(undefined)
  })
  test('resolves when the other side closes, and fails when it goes away', async () => {
    await read((await socketServer(socket => socket.close())).url)
    await expectFailure('network', read((await socketServer(socket => socket.terminate())).url))
  })
  test('fails where there is none', async () => {
    const refusing = createServer((_request, response) => void response.writeHead(403).end()).listen(0, '127.0.0.1')
    await once(refusing, 'listening')
    onTestFinished(() => void refusing.close())
    await expectFailure('connect', read(`ws://127.0.0.1:${portOf(refusing)}/`))
    await expectFailure('connect', read('ws://127.0.0.1:9/'))
    await expectFailure('address', read('file:///etc/passwd'))
    await expectFailure('address', read('no address'))
  })
  test('goes only where its policy allows', async () => {
    const { url, requests } = await socketServer()
    await expectFailure('address', read(url, { addresses: PUBLIC_ONLY }))
    await expectFailure(
      'address',
      read(url.replace('ws:', 'wss:').replace('127.0.0.1', 'localhost'), { addresses: PUBLIC_ONLY }),
    )
    expect(requests).toEqual([])
  })
  test('has a deadline for connecting, for silence, which a reader may change, and for the whole', async () => {
    const silent = await socketServer(() => {}, false)
    await expectFailure('connect_timeout', read(silent.url, { connect_timeout_ms: 50 }))
    await expectFailure('idle_timeout', read((await socketServer()).url, { idle_timeout_ms: 50 }))
    await expectFailure('total_timeout', read((await socketServer()).url, { total_timeout_ms: 150 }))
    const talking = await socketServer(socket => socket.send('last'))
    const changed = read(talking.url, {}, (_frame, { setIdleTimeout }) => {
      setIdleTimeout(50)
      return 'continue'
    })
    await expectFailure('idle_timeout', changed)
    await talking.closed
  })
  test('ends when it is stopped, and when its reader throws', async () => {
    const { url, closed } = await socketServer(socket => socket.send('one'))
    const stop = new AbortController()
    await expectFailure(
      'aborted',
      read(url, { signal: stop.signal }, () => {
        stop.abort()
        return 'continue'
      }),
    )
    await closed
    await expectFailure('aborted', read(url, { signal: AbortSignal.abort() }))
    const thrown = read((await socketServer(socket => socket.send('one'))).url, {}, () => {
      throw new Error('no use')
    })
    await expect(thrown).rejects.toThrow('no use')
  })
  test('ends when everything is closed', async () => {
    const outbound = openOutbound()
    const { url } = await socketServer(socket => socket.send('one'))
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const ended = outbound.webSocket({ ...PATIENT_SOCKET, url }, () => {
      start()
      return 'continue'
    })
    ended.catch(() => {})
    await started
    await outbound.close()
    await expectFailure('aborted', ended)
  })
  test('breaks off at a frame that is too long', async () => {
    const frames: string[] = []
    const { url } = await socketServer(socket => {
      socket.send('x'.repeat(1_000))
      socket.send('x'.repeat(1_001))
    })
    const ended = read(url, {}, frame => {
      frames.push(frame)
      return 'continue'
    })
    await expectFailure('network', ended)
    expect(frames).toHaveLength(1)
  })
  test('goes through a proxy, which may refuse', async () => {
    const { url, requests } = await socketServer(socket => socket.send('one'))
    const asked: IncomingMessage[] = []
    const proxy = createServer().listen(0, '127.0.0.1')
    proxy.on('connect', (request: IncomingMessage, client) => {
      asked.push(request)
      if (request.headers['proxy-authorization'] === undefined) return void client.end('HTTP/1.1 407 No\r\n\r\n')
      const { hostname, port } = new URL(`http://${request.url}`)
      const server = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      server.pipe(client).pipe(server)
      for (const each of [server, client]) each.on('error', () => {})
    })
    await once(proxy, 'listening')
    onTestFinished(() => void proxy.close().closeAllConnections())
    await read(url, { proxy: `http://me:secret@127.0.0.1:${portOf(proxy)}` }, () => 'done')
    expect(asked[0]?.url).toBe(new URL(url).host)
    expect(asked[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`)
    expect(requests).toHaveLength(1)
    await expectFailure('connect', read(url, { proxy: `http://127.0.0.1:${portOf(proxy)}` }))
    expect(requests).toHaveLength(1)
  })
})
