import { finished, type Readable } from 'node:stream'
import { imageIn } from '../pictures.ts'
import { Refusal } from '../refusal.ts'
import { attachmentNamed } from './download.ts'
import type { HttpAnswer } from './route.ts'

/** A file of another host, while it arrives. `size` in bytes, where it is known; `name` where it has one. */
export type Relayed = { content: Readable; size: number | null; name: string | null }

/** Bytes by which a picture is recognised. */
const BEGINNING = 64

/**
 * The file under our own address, so that no page contacts the other host. Its first bytes say what it is, not its
 * host: pictures are shown, everything else is saved under its name, and nothing of it runs.
 */
export async function relayedAnswer({ content, size, name }: Relayed): Promise<HttpAnswer> {
  const picture = imageIn(await beginningOf(content))
  return {
    status: 200,
    headers: {
      'content-type': picture?.content_type ?? 'application/octet-stream',
      'content-disposition': picture === null ? attachmentNamed(name ?? 'file') : 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      // For whoever is signed in now, and nobody after them.
      'cache-control': 'private, max-age=3600',
      vary: 'Cookie',
      ...(size !== null && { 'content-length': size }),
    },
    body: content,
  }
}

/** Its first bytes, which stay in it. Refuses where they do not come. */
function beginningOf(content: Readable): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const look = (): void => {
    const piece: unknown = content.read(BEGINNING)
    if (!Buffer.isBuffer(piece)) return
    // What is put back is reported as readable at once: looked at again, it would be put back without end.
    content.off('readable', look)
    content.unshift(piece)
    resolve(piece)
  }
  const leave = finished(content, { writable: false }, cause => {
    if (cause) reject(new Refusal('httpError', {}, { cause }))
    else resolve(Buffer.alloc(0))
  })
  content.on('readable', look)
  return promise.finally(() => {
    content.off('readable', look)
    leave()
  })
}
