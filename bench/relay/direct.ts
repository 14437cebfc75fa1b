import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { WebSocket } from 'ws'
import type { Child } from '../child.ts'
import { frameBytes, type Target } from './target.ts'

/** The upstream, asked directly. */
export function directTarget(url: string, simulator: Child): Target {
  return {
    name: 'direct',
    usage: simulator.usage,
    connect: async () => async (question, take) => {
      const asked = request(`${url}chat/completions`, { method: 'POST', agent: false })
      asked.end(JSON.stringify({ model: 'gpt-4', stream: true, messages: [{ role: 'user', content: question }] }))
      const [response]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage] // the argument of a request's response event
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
