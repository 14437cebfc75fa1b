// The baseline: the smallest relay between a page and the upstream. It has no accounts and stores nothing.
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { request } from 'undici'
import { WebSocketServer } from 'ws'

const upstream = process.argv[2] ?? ''
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })

server.on('connection', socket => {
  socket.on('message', async question => {
    const { body } = await request(`${upstream}chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify({ model: 'gpt-4', stream: true, messages: [{ role: 'user', content: String(question) }] }),
    })
    const parser = createParser({ onEvent: ({ data }) => socket.send(data) })
    body.setEncoding('utf8')
    for await (const piece of body) parser.feed(piece)
    socket.close(1000)
  })
})

await once(server, 'listening')
const address = server.address()
if (address !== null && typeof address === 'object')
  console.log(JSON.stringify({ url: `ws://127.0.0.1:${address.port}` }))
process.once('SIGTERM', () => process.exit(0))
