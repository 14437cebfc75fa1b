import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { portOf } from './upstream.ts'

/** A received request. */
export type Received = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown> | null
}

export type FakeEndpoint = {
  /** http://127.0.0.1:PORT */
  url: string
  received: Received[]
  /** The answer to a request for models; a number is a status, null never answers. */
  models: unknown
  /** What an answer to a request for models waits for. */
  held: Promise<unknown>
  /** The whole text of a streamed answer. */
  stream: string
  /** Answers of an API of its own, by their paths. */
  native: Readonly<Record<string, unknown>>
  /** Closes it before the end of the test, like an endpoint that went away. */
  close(): Promise<void>
}

const PLAIN_STREAM = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** The list of models in OpenAI's form. */
export const listOf = (...ids: string[]) => ({ object: 'list', data: ids.map(id => ({ id, object: 'model' })) })

/** An endpoint whose models and answers the test sets; it keeps the requests it received. */
export async function fakeEndpoint(
  given: Partial<Pick<FakeEndpoint, 'models' | 'stream' | 'native'>> = {},
): Promise<FakeEndpoint> {
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const sent = await text(request)
    endpoint.received.push({
      method,
      url,
      headers,
      body: sent === '' ? null : (JSON.parse(sent) as Record<string, unknown>),
    }) // our own JSON
    if (endpoint.native[url] !== undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(endpoint.native[url]))
    if (method === 'POST')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(endpoint.stream)
    await endpoint.held
    const { models } = endpoint
    if (models === null) return
    if (typeof models === 'number') response.writeHead(models).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(typeof models === 'string' ? models : JSON.stringify(models))
  })
  const endpoint: FakeEndpoint = {
    url: '',
    received: [],
    models: listOf(),
    held: Promise.resolve(),
    stream: PLAIN_STREAM,
    native: {},
    ...given,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  endpoint.url = `http://127.0.0.1:${await portOf(server)}`
  return endpoint
}
