import type { Updateable } from 'kysely'
import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { NewUpstream, UpstreamChanges } from '#contract/upstreams.ts'
import { mistakeIn } from '#server/configuration/rules.ts'
import type { Tables } from '#server/foundation/database/open.ts'
import { invalid, Refusal } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import { addressOf, originOf } from './endpoints.ts'
import { NORMAL } from './health.ts'
import { columnsOf as healthColumns } from './healthRecord.ts'
import type { KeptModel } from './listing.ts'
import { sealSecret } from './secret.ts'
import type { UpstreamRow } from './store.ts'

type Sent = Partial<Omit<NewUpstream, 'source'>> & Partial<Pick<UpstreamChanges, 'version'>>
type Columns = Updateable<Tables['upstreams']>

const ADDRESS: Record<Source, string> = {
  openai_api: 'openai_api.openai_base_url',
  openai_web: 'openai_web.chatgpt_base_url',
}

/** What is written of what was sent, but for the secret and the models. A query in the address is kept apart from it. */
export function columnsOf(sent: Sent, source: Source): Columns {
  const { secret: _secret, models: _models, version: _version, base_url, query, key_header, ...rest } = sent
  requireAllowed('base_url', ADDRESS[source], base_url)
  requireAllowed('key_header', 'openai_api.key_header', key_header)
  return {
    ...rest,
    ...(key_header !== undefined && { key_header: key_header || null }),
    ...(query !== undefined && { query: query?.replace(/^\?/, '') || null }),
    ...(base_url !== undefined && addressColumns(base_url, query)),
  }
}

function addressColumns(base_url: string | null, query: string | null | undefined): Columns {
  const at = base_url?.indexOf('?') ?? -1
  if (base_url === null || at < 0) return { base_url }
  if (query) throw invalid(['body', 'query'], 'The address has a query already')
  return { base_url: base_url.slice(0, at), query: base_url.slice(at + 1) || null }
}

function requireAllowed(field: string, setting: string, value: string | null | undefined): void {
  const mistake = value == null ? null : mistakeIn(setting, value)
  if (mistake !== null) throw invalid(['body', field], mistake)
}

/**
 * The secret of an upstream that becomes `after`: what was sent, sealed for where the address then leads; else the one that it has, as long as
 * the address still leads there.
 */
export function secretColumns(
  secret: string | null | undefined,
  before: UpstreamRow | null,
  after: Pick<UpstreamRow, 'id' | 'source' | 'base_url' | 'query'>,
  { settings, secretBox }: { settings: Configuration; secretBox: SecretBox },
): Pick<UpstreamRow, 'sealed_secret'> {
  const origin = originOf(addressOf(after, settings))
  if (secret) return { sealed_secret: sealSecret(secretBox, { id: after.id, origin }, secret) }
  const isKept = secret !== null && before !== null && originOf(addressOf(before, settings)) === origin
  return { sealed_secret: isKept ? before.sealed_secret : null }
}

/** An upstream that is reached otherwise is found out about anew. */
export function healthAfterChange(sent: Sent): Columns {
  const isReachedOtherwise = [sent.secret, sent.base_url, sent.query, sent.key_header, sent.proxy].some(
    value => value !== undefined && value !== '',
  )
  return isReachedOtherwise ? healthColumns(NORMAL) : {}
}

/** The models that an administrator picked; each code once. */
export function pickedModels(models: NonNullable<NewUpstream['models']>): KeptModel[] {
  const codes = models.map(({ code }) => code)
  const twice = codes.findIndex((code, at) => codes.indexOf(code) !== at)
  if (twice >= 0) throw invalid(['body', 'models', twice, 'code'], 'named twice')
  return models.map(model => ({ ...model, offered: true }))
}

/** The first one of a source is changed where its settings are. */
export function requireLabelAlone(sent: Sent): void {
  const { label: _label, version: _version, ...others } = sent
  if (Object.values(others).some(value => value !== undefined)) throw new Refusal('upstreamIsFirst')
}
