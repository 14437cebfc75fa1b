import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type Mode = 'transaction' | 'statement'
type Options = {
  mode: Mode
  /** Connections to the server at most. */
  size: number
  /** Which of the free ones is given: the one that was used last, or the one that has been free for longest. */
  order?: 'last' | 'turn'
}

/** A connection to the server that is signed in already. Whoever has it gets what it says. */
type Backend = { socket: Socket; read: Reader; busy: boolean }
type Message = { type: string; bytes: Buffer }
type Reader = { next(): Promise<Message | null> }

/**
 * A pooler before PostgreSQL, as PgBouncer, pgcat, Odyssey and Supavisor are in transaction or statement mode: each
 * transaction of a client goes to whichever connection of the server is free. The server must trust whoever connects.
 */
export async function pooler(server_url: string, { mode, size, order = 'last' }: Options) {
  const free: Backend[] = []
  const waiting: ((backend: Backend) => void)[] = []
  const sockets = new Set<Socket>()
  let opened = 0

  async function take(startup: Buffer): Promise<Backend> {
    const found = order === 'last' ? free.pop() : free.shift()
    if (found !== undefined) return found
    if (opened < size) {
      opened++
      return openBackend(server_url, startup, sockets)
    }
    return new Promise(resolve => waiting.push(resolve))
  }

  function give(backend: Backend): void {
    const next = waiting.shift()
    if (next === undefined) free.push(backend)
    else next(backend)
  }

  async function serve(client: Socket): Promise<void> {
    sockets.add(client)
    client.on('error', () => client.destroy())
    const read = readerOf(client, true)
    const startup = await read.next()
    if (startup === null) return
    client.write(SIGNED_IN)
    while (true) {
      let message = await read.next()
      if (message === null || message.type === 'X') return
      if (mode === 'statement' && message.bytes.includes('begin')) {
        client.write(refusal('08P01', 'transaction blocks not allowed in statement pooling mode'))
        continue
      }
      const backend = await take(startup.bytes)
      let state = ''
      while (message !== null && message.type !== 'X') {
        backend.socket.write(message.bytes)
        if (message.type === 'Q' || message.type === 'S') {
          state = await passAnswers(backend, client)
          if (state === 'I') break
        }
        message = await read.next()
      }
      if (state !== 'I') {
        backend.socket.destroy()
        opened--
        return
      }
      give(backend)
    }
  }

  const server = createServer(client => {
    serve(client).catch(() => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(server_url)
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as AddressInfo).port) // it listens on TCP, so it is no string
  return {
    url: here.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

async function passAnswers(backend: Backend, client: Socket): Promise<string> {
  while (true) {
    const answer = await backend.read.next()
    if (answer === null) throw new Error('the server has gone')
    client.write(answer.bytes)
    if (answer.type === 'Z') return String.fromCharCode(answer.bytes[5] ?? 0)
  }
}

async function openBackend(url: string, startup: Buffer, sockets: Set<Socket>): Promise<Backend> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.add(socket)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  const read = readerOf(socket, false)
  socket.write(startup)
  while (true) {
    const message = await read.next()
    if (message === null || message.type === 'E') throw new Error('the server lets nobody in')
    if (message.type === 'Z') return { socket, read, busy: true }
  }
}

/** Messages of the protocol: a type, then the length of the rest with itself. The first one of a client has no type. */
function readerOf(socket: Socket, isClient: boolean): Reader {
  let pending = Buffer.alloc(0)
  let isFirst = isClient
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data])
    wake()
  })
  socket.on('close', () => {
    isOver = true
    wake()
  })
  return {
    async next() {
      while (true) {
        const head = isFirst ? 0 : 1
        if (pending.length >= head + 4) {
          const length = head + pending.readInt32BE(head)
          if (pending.length >= length) {
            const bytes = pending.subarray(0, length)
            pending = pending.subarray(length)
            const type = isFirst ? 'startup' : String.fromCharCode(bytes[0] ?? 0)
            isFirst = false
            return { type, bytes }
          }
        }
        if (isOver) return null
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const READY = message('Z', Buffer.from('I'))
/** Let in, without a parameter or a key to cancel by. */
const SIGNED_IN = Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), READY])

function refusal(code: string, text: string): Buffer {
  return Buffer.concat([message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0M${text}\0\0`)), READY])
}

/**
 * A server that refuses whoever connects with these words, as poolers refuse parameters, names and too many clients.
 */
export async function refusingServer(code: string, text: string) {
  const server = createServer(client => {
    client.on('error', () => client.destroy())
    client.once('data', () => client.end(message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://me:secret@127.0.0.1:${(server.address() as AddressInfo).port}/commons`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
