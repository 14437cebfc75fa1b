import { requestAsTool } from '#web/foundation/requestAsTool.ts'

/** What the page finds out by itself about the way to the gateway: as tools go it, without a key. */
export type Finding =
  | { about: 'transport'; problem: null | 'http' }
  | { about: 'address'; problem: null | 'redirected' | 'notPassedOn' | 'noHeaders' }
  | { about: 'origins'; problem: null | 'refused' | 'changed' }
  | { about: 'stream'; problem: null | 'buffered' | 'broken' }

/** A piece that was read, at which millisecond. */
type Arrival = { text: string; at: number }

type Seen = { arrivals: readonly Arrival[]; isWhole: boolean }

const PATH = '/v1/connection'
const QUESTIONS = '/v1/chat/completions'
/** Milliseconds: beyond that nothing more is expected. */
const DEADLINE = 15_000

/** Tries the gateway under this page's own address. */
export async function checkConnection({ origin, protocol, hostname }: Location): Promise<Finding[]> {
  const signal = AbortSignal.timeout(DEADLINE)
  const [stream, preflight] = await Promise.all([
    // The header stands for a key, which a proxy may take for its own.
    requestAsTool(origin + PATH, { headers: { authorization: 'Bearer connection' }, signal }),
    requestAsTool(origin + QUESTIONS, { method: 'OPTIONS', signal }),
  ])
  const seen = stream?.body && isStream(stream) ? await arrivalsOf(stream.body) : null
  const isSafe = protocol === 'https:' || /^(?:localhost|127\..*|\[::1\])$/.test(hostname)
  return [
    { about: 'transport', problem: isSafe ? null : 'http' },
    { about: 'address', problem: addressProblem(stream, seen) },
    { about: 'origins', problem: originsProblem(preflight) },
    ...(seen === null ? [] : [{ about: 'stream', problem: streamProblem(seen) } as const]),
  ]
}

const isStream = ({ ok, headers }: Response): boolean =>
  ok && headers.get('content-type')?.startsWith('text/event-stream') === true

async function arrivalsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Seen> {
  const arrivals: Arrival[] = []
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { arrivals, isWhole: true }
      arrivals.push({ text: value, at: performance.now() })
    }
  } catch {
    return { arrivals, isWhole: false }
  }
}

function addressProblem(stream: Response | null, seen: Seen | null) {
  if (stream?.redirected === true) return 'redirected'
  if (seen === null) return 'notPassedOn'
  return seen.arrivals.some(({ text }) => text.includes('"authorization":false')) ? 'noHeaders' : null
}

/** A proxy that answers by itself, or adds a header that is there already, shuts out programs of other origins. */
function originsProblem(preflight: Response | null) {
  if (preflight === null || preflight.status !== 204) return 'refused'
  const { headers } = preflight
  const isAsSent = headers.get('access-control-allow-origin') === '*' && headers.has('access-control-allow-headers')
  return isAsSent && headers.get('access-control-allow-credentials') === null ? null : 'changed'
}

/** The pieces are sent half a second apart: what comes at once was held back on its way. */
export function streamProblem({ arrivals, isWhole }: Seen) {
  const text = arrivals.map(piece => piece.text).join('')
  if (!isWhole || !text.includes('data: [DONE]')) return 'broken'
  const [first, last] = [arrivals[0]?.at ?? 0, arrivals.at(-1)?.at ?? 0]
  return last - first < HELD_BACK_MS ? 'buffered' : null
}
const HELD_BACK_MS = 500
