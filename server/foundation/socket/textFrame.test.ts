import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from './textFrame.ts'

let server: Server
let client: WebSocket
let raw: Duplex

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new WebSocketServer({ noServer: true })
  const upgraded = new Promise<Duplex>(resolve => {
    server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, () => resolve(socket)))
  })
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`) // it listens on a port, not on a path
  await once(client, 'open')
  raw = await upgraded
})

afterAll(() => {
  client.terminate()
  server.close()
})

// What the lengths are written as changes at 126 and at 65,536 bytes; an 'é' has two bytes, '你' three, '😀' four.
test.each([
  ['nothing', ''],
  ['125 bytes', 'a'.repeat(125)],
  ['126 bytes', 'a'.repeat(126)],
  ['126 bytes in 63 letters', 'é'.repeat(63)],
  ['65,535 bytes', '你'.repeat(21_845)],
  ['65,536 bytes', 'a'.repeat(65_536)],
  ['a megabyte', '😀'.repeat(262_144)],
  ['half of a pair', 'a\ud800b'],
])('a text of %s arrives as it is', async (_name, text) => {
  const arrived = once(client, 'message')
  raw.write(textFrame(text))
  const [bytes, isBinary] = await arrived
  expect(isBinary).toBe(false)
  expect(String(bytes) === text.toWellFormed()).toBe(true) // not `toBe`: a megabyte is no message for people
})
