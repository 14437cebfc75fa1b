import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { portOf } from './upstream.ts'

/** One request as it came. */
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
  /** What it answers a request for its models with; a number is a status, null leaves the request without an answer. */
  models: unknown
  /** The whole text of an answer's stream. */
  stream: string
  /** Closes it before the test is over, as if it had gone away. */
  close(): Promise<void>
}

export const PLAIN_STREAM = 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

/** The list of models in OpenAI's form. */
export const listOf = (...ids: string[]) => ({ object: 'list', data: ids.map(id => ({ id, object: 'model' })) })

/** An endpoint of which the test says what it lists and how it answers; it keeps what it was asked. */
export async function fakeEndpoint(
  given: Partial<Pick<FakeEndpoint, 'models' | 'stream'>> = {},
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
    if (method === 'POST')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(endpoint.stream)
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
    stream: PLAIN_STREAM,
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
