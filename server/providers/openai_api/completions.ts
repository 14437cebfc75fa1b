import { requestAddress } from '#contract/baseAddress.ts'
import type { Message } from '#contract/messages.ts'
import type { Outbound, OutboundAnswer } from '#server/foundation/outbound.ts'
import type { Upstream } from '../provider.ts'
import { refusalOfStatus } from '../upstreamRefusal.ts'
import { keyHeaders } from './keyHeaders.ts'
import { toUpstream } from './toUpstream.ts'

/** Asks an endpoint for the next message of a thread. Resolves when it begins to answer; whatever it refuses with is thrown as a refusal. */
export type Complete = (thread: readonly Message[], upstream: Upstream, signal: AbortSignal) => Promise<OutboundAnswer>

const USAGE = { stream_options: { include_usage: true } }
/** Statuses of a request that is not understood. */
const NOT_UNDERSTOOD = new Set([400, 422])
/** Bytes of a refusal that are looked through for what was not understood. */
const LONGEST_REFUSAL = 20_000
/** Endpoints that are remembered; people may have their own. */
const MOST_ENDPOINTS = 200

/** Endpoints say how many tokens an answer took when they are asked to; those that do not know that question are asked without it from then on. */
export function openCompletions(outbound: Outbound): Complete {
  const withoutUsage = new Set<string>()

  function remember(url: string): void {
    const [oldest] = withoutUsage
    if (oldest !== undefined && withoutUsage.size >= MOST_ENDPOINTS) withoutUsage.delete(oldest)
    withoutUsage.add(url)
  }

  return async (thread, upstream, signal) => {
    const url = requestAddress(upstream.base_url, 'chat/completions')
    const asksUsage = !withoutUsage.has(url)
    let response = await ask(outbound, url, { thread, upstream, signal, asksUsage })
    if (asksUsage && NOT_UNDERSTOOD.has(response.status) && await mentions(response, 'stream_options')) {
      remember(url)
      response = await ask(outbound, url, { thread, upstream, signal, asksUsage: false })
    }
    if (response.status >= 200 && response.status < 300) return response
    response.body.destroy()
    throw refusalOfStatus(response.status, response.header('retry-after'))
  }
}

type Asked = { thread: readonly Message[]; upstream: Upstream; signal: AbortSignal; asksUsage: boolean }

function ask(outbound: Outbound, url: string, { thread, upstream, signal, asksUsage }: Asked): Promise<OutboundAnswer> {
  return outbound.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...keyHeaders(upstream),
    },
    body: JSON.stringify({ model: upstream.model_name, messages: toUpstream(thread), stream: true, ...(asksUsage && USAGE) }),
    connect_timeout_ms: upstream.connect_timeout * 1000,
    first_byte_timeout_ms: upstream.read_timeout * 1000,
    idle_timeout_ms: upstream.read_timeout * 1000,
    total_timeout_ms: upstream.ask_timeout * 1000,
    signal,
    proxy: upstream.proxy,
    addresses: upstream.addresses,
  })
}

/** What cannot be read mentions nothing: the status says enough. */
async function mentions({ body }: OutboundAnswer, word: string): Promise<boolean> {
  const text = await body.text(LONGEST_REFUSAL).catch(() => '')
  return text.includes(word)
}
