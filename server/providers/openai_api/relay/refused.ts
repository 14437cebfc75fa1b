import type { RefusalKey } from '#contract/refusals.ts'
import type { OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import type { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderUpstream } from '../../provider.ts'
import type { RelaySink } from '../../relay.ts'

/** Statuses of a request that the tool has to change. */
const OF_REQUEST = new Set([400, 413, 422])
/** What is wrong with one request, and says nothing of the account. */
const PASSED: ReadonlySet<RefusalKey> = new Set(['openai.400', 'openai.contextTooLong', 'openai.unknown'])

/** Shows the tool what the upstream says of its request; all else is said in our own words. */
export function passRefusal(
  to: RelaySink,
  { status, header }: OutboundAnswer,
  text: string,
  { key }: Refusal,
  upstream: ProviderUpstream,
): void {
  const isContent = key === 'openai.contentFilter' && status < 500
  if (!isContent && !(OF_REQUEST.has(status) && PASSED.has(key))) return
  const content_type = header('content-type') ?? 'application/json'
  if (!content_type.includes('json')) return
  to.refused({ status, content_type, body: Buffer.from(withoutSecrets(text, upstream)) })
}

const KEYS = /\b(?:sk|pk|rk|cmn|key|org|proj|user|acct|req)[-_][\w*-]{8,}/g
const IP_ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g

/** A text of an upstream without keys and addresses. */
export function withoutSecrets(text: string, { key, base_url, proxy }: ProviderUpstream): string {
  const hosts = [base_url, proxy].flatMap(address =>
    address !== null && URL.canParse(address) ? [new URL(address).host, new URL(address).hostname] : [],
  )
  const secrets = [key, ...hosts].filter(secret => secret !== null && secret !== '')
  return secrets
    .reduce<string>((shown, secret) => shown.replaceAll(String(secret), '…'), text)
    .replace(KEYS, '…')
    .replace(IP_ADDRESSES, '…')
}
