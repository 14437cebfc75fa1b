import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { PushedNotice, PushSubscription } from '#contract/notices.ts'
import { portOf } from './outboundRequests.ts'
import { until } from './until.ts'

/** What a portal sent to the push service. */
type Pushed = { path: string; headers: IncomingMessage['headers']; body: Buffer }

type Answer = { status: number; headers?: Record<string, string> }

/** A browser that is told: what it gives the page, and what it makes of what the push service sends on. */
export type PushedBrowser = {
  subscription: PushSubscription
  /** What it has been told so far, decrypted. */
  shown(): PushedNotice[]
  /** The first so many, when they have come. */
  untilShown(count: number): Promise<PushedNotice[]>
  /** The bodies as they came over the network. */
  raw(): Buffer[]
}

/** A push service as browsers’ makers run them, on loopback, for one test. `answer` says what it answers next. */
export async function startPushService() {
  const pushed: Pushed[] = []
  let answer: (path: string) => Answer | null = () => ({ status: 201 })
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer) // a request gives bytes
    pushed.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
    const given = answer(request.url ?? '')
    if (given !== null) response.writeHead(given.status, given.headers).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const url = `http://127.0.0.1:${portOf(server)}`
  return {
    url,
    pushed,
    /** Null: it never answers. */
    answerWith(given: (path: string) => Answer | null): void {
      answer = given
    },
    browser: () => aBrowser(`${url}/push/${randomBytes(12).toString('base64url')}`, pushed),
  }
}

function aBrowser(endpoint: string, pushed: readonly Pushed[]): PushedBrowser {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const own = () => pushed.filter(({ path }) => endpoint.endsWith(path))
  const shown = () => own().map(({ body }) => JSON.parse(decrypted(body, { pair, auth })) as PushedNotice) // as it is sent
  return {
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    },
    shown,
    raw: () => own().map(({ body }) => body),
    untilShown: count =>
      until(() => {
        if (shown().length < count) throw new Error(`told ${shown().length} times`)
        return shown().slice(0, count)
      }),
  }
}

type Secrets = { pair: ReturnType<typeof createECDH>; auth: Buffer }

/** As RFC 8291 says, in one record of RFC 8188. */
function decrypted(body: Buffer, { pair, auth }: Secrets): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body.readUInt8(20))
  const content = body.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const key = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const derived = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${name}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(content.subarray(-16))
  const padded = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** The claims of a request, where its signature is by the key that it names (RFC 8292). */
export function vapidClaims(headers: IncomingMessage['headers']): { key: string; claims: Record<string, unknown> } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the request is signed by another key')
  return { key, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown> } // an object, by RFC 7519
}
