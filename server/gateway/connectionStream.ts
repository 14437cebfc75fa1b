import { setTimeout as delay } from 'node:timers/promises'
import { Readable } from 'node:stream'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { OF_STREAM } from './answer.ts'

const PIECES = 4
/** Milliseconds between them. */
const APART = 500
/** So many are sent at once, for everybody. */
const MAX_STREAMS = 50

/**
 * A short stream that anybody may read, as answers are sent: whether it reaches the page in pieces, and whether the
 * header of a key reaches the portal, tells what a proxy does to tools.
 */
export function connectionStream<U extends SignedIn>(http: Http<U>): void {
  let open = 0
  http.route({
    method: 'GET',
    path: '/v1/connection',
    admit: ({ raw }) => {
      http.guard.requireRate(raw, [])
      if (open >= MAX_STREAMS) throw new Refusal('tooManyRequests')
    },
    handle: ({ headers }) => {
      open += 1
      const first = `data: ${JSON.stringify({ authorization: Boolean(headers.authorization) })}\n\n`
      const body = Readable.from(pieces(first)).once('close', () => {
        open -= 1
      })
      return { status: 200, headers: OF_STREAM, body }
    },
  })
}

async function* pieces(first: string) {
  yield first
  for (let sent = 1; sent < PIECES; sent += 1) {
    await delay(APART)
    yield sent < PIECES - 1 ? ': on its way\n\n' : 'data: [DONE]\n\n'
  }
}
