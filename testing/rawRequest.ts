import { Agent, request } from 'node:http'

export type RawRequest = { method: string; path: string; headers?: Record<string, string>; body?: string | Uint8Array }
type RawAnswer = { status: number; text: string }

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends a request exactly as given: `fetch` would normalise its path. */
export function rawRequest(url: string, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
