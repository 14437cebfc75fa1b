import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'

/** Of brotli's eleven: what takes a millisecond for a page. */
const QUALITY = 5

/** For a page that is made anew for each visit; what is the same for everybody was compressed when it was built. */
export async function compressed(text: string, { headers }: FastifyRequest): Promise<{ body: Buffer | string; encoding: 'br' | 'gzip' | null }> {
  const accepted = String(headers['accept-encoding'] ?? '').split(',').map(part => part.trim().split(';', 1)[0])
  if (accepted.includes('br')) {
    return { body: await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }), encoding: 'br' }
  }
  return accepted.includes('gzip') ? { body: await promisify(gzip)(text), encoding: 'gzip' } : { body: text, encoding: null }
}
