import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/**
 * Of brotli's eleven: what takes a millisecond for a page, and some tens for the two megabytes of a very long
 * conversation.
 */
const QUALITY = 5
/** Characters. What fits into a few packets arrives no sooner for being smaller. */
const WORTH_IT = 8_192

/**
 * A text that is made anew for each request, compressed where that suits the client; what is the same for everybody was
 * compressed when it was built. Beside the thread that answers others. No answer holds a secret beside what a stranger
 * could have put there to guess it by.
 */
export async function compressed(text: string, reply: FastifyReply): Promise<Buffer | string> {
  if (text.length < WORTH_IT) return text
  const encoding = encodingFor(reply.request.headers['accept-encoding'])
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '))
  if (encoding === null) return text
  reply.header('content-encoding', encoding)
  return encoding === 'br'
    ? promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
    : promisify(gzip)(text)
}

const REFUSED = /;\s*q=0(?:\.0*)?$/

function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | null {
  const offers = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map(offer => offer.trim())
    .filter(offer => !REFUSED.test(offer))
  const names = offers.map(offer => offer.split(';', 1)[0]?.trim())
  return (['br', 'gzip'] as const).find(name => names.includes(name)) ?? null
}
