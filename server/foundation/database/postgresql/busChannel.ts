import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../ids.ts'

const CHANNEL = 'commons'

/** Messages kept while the connection is away. The oldest go first, since the newest wake up just as well. */
const MAX_WAITING = 1_000

/** Milliseconds before connecting again, doubled with each attempt. */
const PAUSE = { first: 50, longest: 2_000 }

const NOTIFY = 'select pg_notify($1, message) from json_array_elements_text($2::json) message'

type Channel = { send(topic: string, body: string): void; close(): Promise<void> }

/** LISTEN and NOTIFY on a connection of its own, reopened whenever it is lost. It does not deliver its own messages. */
export async function postgresqlChannel(url: string, deliver: (topic: string, body: string) => void): Promise<Channel> {
  const envelopes = openEnvelopes()
  const closing = new AbortController()
  let outbox: string[] = []
  let sending: Promise<void> | null = null
  let connection: Connection | null = await connect(url, receive)
  const watching = watch(connection)

  function receive(payload: string): void {
    const message = envelopes.opened(payload)
    if (message && !closing.signal.aborted) deliver(message.topic, message.body)
  }

  async function watch(first: Connection): Promise<void> {
    for (
      let current: Connection | null = first;
      current;
      current = await connectedAgain(url, receive, closing.signal)
    ) {
      connection = current
      sendAll()
      await current.ended
      connection = null
    }
  }

  function sendAll(): void {
    sending ??= emptyOutbox().finally(() => {
      sending = null
    })
  }

  /** What is published while a batch is on its way goes with the next one. */
  async function emptyOutbox(): Promise<void> {
    while (connection && outbox.length > 0) {
      const { client } = connection
      const batch = outbox
      outbox = []
      try {
        await client.query(NOTIFY, [CHANNEL, JSON.stringify(batch)])
      } catch {
        // Whatever it was, a new connection is a new beginning. Who had the message already knows it by its number.
        outbox = [...batch, ...outbox].slice(-MAX_WAITING)
        connection = null
        await client.end().catch(() => {})
      }
    }
  }

  return {
    send(topic, body) {
      outbox.push(envelopes.sealed(topic, body))
      if (outbox.length > MAX_WAITING && !connection) outbox.shift()
      sendAll()
    },
    async close() {
      await sending
      closing.abort()
      await connection?.client.end()
      await watching
    },
  }
}

/** Each message carries who sent it and its number there, so that none is delivered twice or where it came from. */
function openEnvelopes() {
  const node = newId()
  const newest = new Map<string, number>()
  let sent = 0
  return {
    sealed: (topic: string, body: string) => `${node}\n${++sent}\n${topic}\n${body}`,
    opened(payload: string): { topic: string; body: string } | null {
      const [from = '', number = '', topic = '', ...body] = payload.split('\n')
      if (from === node || Number(number) <= (newest.get(from) ?? 0)) return null
      newest.set(from, Number(number))
      return { topic, body: body.join('\n') }
    },
  }
}

type Connection = { client: pg.Client; ended: Promise<void> }

async function connect(url: string, receive: (payload: string) => void): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'chat-commons bus',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  client.on('end', resolve)
  client.on('error', () => {}) // `end` follows; without a listener the error would end the process
  client.on('notification', ({ payload }) => receive(payload ?? ''))
  await client.connect()
  await client.query(`listen ${CHANNEL}`)
  return { client, ended }
}

/** Tries until it succeeds; null when the channel is closed meanwhile. */
async function connectedAgain(
  url: string,
  receive: (payload: string) => void,
  closing: AbortSignal,
): Promise<Connection | null> {
  for (let pause = PAUSE.first; !closing.aborted; pause = Math.min(2 * pause, PAUSE.longest)) {
    try {
      await setTimeout(pause * (0.5 + Math.random() / 2), undefined, { signal: closing })
      const made = await connect(url, receive)
      if (!closing.aborted) return made
      await made.client.end()
    } catch {
      // the database is still away, or the channel was closed
    }
  }
  return null
}
