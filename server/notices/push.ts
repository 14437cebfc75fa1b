import webPush from 'web-push'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { PushedNotice } from '#contract/notices.ts'
import { proxyByEnvironment } from '#server/configuration/environmentProxy.ts'
import { type AddressPolicy, type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import type { PushKeys } from './keys.ts'
import type { SubscriptionRow } from './store.ts'

const DEADLINES = {
  connect_timeout_ms: 4_000,
  first_byte_timeout_ms: 8_000,
  idle_timeout_ms: 2_000,
  total_timeout_ms: 10_000,
}
/** Bytes that are read of what a push service answers; nothing in it matters. */
const MAX_ANSWER = 1_000
/** Seconds. */
const MAX_RETRY_AFTER = 900

/** `gone`: that browser is not told any more. `refused`: the service does not take this message. */
export type Pushed = { is: 'sent' | 'gone' | 'refused' } | { is: 'later'; after_ms: number }

export type Push = (to: SubscriptionRow, what: PushedNotice, how: { ttl_ms: number; topic: string }) => Promise<Pushed>

type Dependencies = {
  outbound: Pick<Outbound, 'request'>
  env: NodeJS.ProcessEnv
  keys(): Promise<PushKeys>
  configuration(): Configuration
}

/** Only public addresses, besides those that people’s own endpoints may have. */
export const pushAddresses = ({ auth }: Configuration): AddressPolicy => ({
  public_only: true,
  except: auth.allow_private_custom_urls,
})

/**
 * Sends a notice to the push service of a browser. The library encrypts it and signs the request; it is sent like all
 * requests of this program.
 */
export function openPush({ outbound, env, keys, configuration }: Dependencies): Push {
  return async ({ endpoint, p256dh, auth }, what, { ttl_ms, topic }) => {
    const { public_key: publicKey, private_key: privateKey } = await keys()
    const vapidDetails = { subject: subjectOf(configuration()), publicKey, privateKey }
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(what),
      {
        vapidDetails,
        TTL: Math.max(0, Math.round(ttl_ms / 1000)),
        contentEncoding: 'aes128gcm',
        urgency: 'high',
        topic,
      },
    )
    try {
      const answer = await outbound.request({
        method: 'POST',
        url: endpoint,
        headers: textsOf(headers),
        body,
        proxy: proxyByEnvironment(env, endpoint)?.proxy ?? null,
        addresses: pushAddresses(configuration()),
        ...DEADLINES,
      })
      await answer.body.text(MAX_ANSWER)
      return outcomeOf(answer.status, answer.header('retry-after'))
    } catch (cause) {
      if (!(cause instanceof OutboundFailure)) throw cause
      return cause.kind === 'address' ? { is: 'gone' } : { is: 'later', after_ms: 0 }
    }
  }
}

/** With whom a push service can get in touch: it wants an address, and one of its own does for those that have none. */
function subjectOf({ portal: { public_origin } }: Configuration): string {
  return public_origin?.startsWith('https:') === true ? public_origin : 'mailto:chat-commons@invalid.example'
}

function textsOf(headers: Record<string, unknown>): Record<string, string> {
  const texts = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** A service that knows the browser by another key answers 401 or 403: the page makes a new address then. */
function outcomeOf(status: number, retry_after: string | undefined): Pushed {
  if (status >= 200 && status < 300) return { is: 'sent' }
  if ([401, 403, 404, 410].includes(status)) return { is: 'gone' }
  if (status !== 429 && status < 500) return { is: 'refused' }
  const seconds = Number(retry_after)
  return { is: 'later', after_ms: seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER) * 1000 : 0 }
}
