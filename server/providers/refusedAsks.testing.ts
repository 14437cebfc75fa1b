import type { ServerResponse } from 'node:http'
import { askingProvider, PROVIDERS, rawUpstream } from '#testing/upstream.ts'

export const [API, WEB] = PROVIDERS as [(typeof PROVIDERS)[0], (typeof PROVIDERS)[0]] // there are two

export type Sent = { status?: number; headers?: Record<string, string>; body: unknown; model_name?: string }

/** What an ask is refused with where an upstream answers so. */
export async function refused({ status = 429, headers = {}, body, model_name = 'some-model' }: Sent, provider = API) {
  const { reply } = await askingProvider(provider)
  const base_url = await rawUpstream((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return (await reply('hello', { base_url, model_name })).refusal
}

export const inStream = async (pieces: readonly string[], provider = API) => {
  const { reply } = await askingProvider(provider)
  const base_url = await rawUpstream((_request, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  })
  return reply('hello', { base_url })
}
