import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createParser } from 'eventsource-parser'
import { WebSocket } from 'ws'
import type { Child } from '../child.ts'
import { frameBytes, type Target } from './target.ts'

/** The upstream, asked directly. */
export const directTarget = (url: string, simulator: Pick<Child, 'usage'>): Target =>
  chatTarget('direct', simulator.usage, () => ({ url: `${url}chat/completions`, model: 'gpt-4' }))

type ChatAddress = { url: string; model: string; headers?: Record<string, string> }

/** Whatever answers chat completions, a connection for each question. */
export function chatTarget(name: string, usage: Target['usage'], addressOf: (person: number) => ChatAddress): Target {
  return {
    name,
    usage,
    connect: async person => async (question, take) => {
      const { url, model, headers } = addressOf(person)
      const asked = request(url, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
      })
      asked.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: question }] }))
      const [response]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage] // the argument of a request's response event
      if (response.statusCode !== 200)
        throw new Error(`${name}: ${response.statusCode} ${(await text(response)).slice(0, 500)}`)
      let bytes = 0
      let frames = 0
      const parser = createParser({
        onEvent({ data }) {
          frames += 1
          take(contentOf(data))
        },
      })
      for await (const piece of response.setEncoding('utf8')) {
        bytes += Buffer.byteLength(piece)
        parser.feed(piece)
      }
      return { bytes, frames }
    },
  }
}

/** The bare relay: each of its messages carries one event of the upstream. */
export function relayTarget(url: string, relay: Child): Target {
  return {
    name: 'bare relay',
    usage: relay.usage,
    async connect() {
      const socket = new WebSocket(url, { perMessageDeflate: false })
      await once(socket, 'open')
      return async (question, take) => {
        let bytes = 0
        let frames = 0
        socket.on('message', (data: Buffer) => {
          bytes += frameBytes(data.length)
          frames += 1
          take(contentOf(data.toString()))
        })
        socket.send(question)
        await once(socket, 'close')
        return { bytes, frames }
      }
    },
  }
}

function contentOf(data: string): string {
  return data === '[DONE]' ? '' : (JSON.parse(data).choices[0]?.delta.content ?? '')
}
