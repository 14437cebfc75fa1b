import type { Updateable } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import {
  type KeyState,
  type NewUpstream,
  SECRET_TEXT,
  type UpstreamChanges,
  type UpstreamRead,
  TEST_STEPS,
  type TestStep,
  type UpstreamTest,
} from '#contract/upstreams.ts'
import { accountOfToken } from '#contract/webToken.ts'
import { validationErrorIn } from '#server/configuration/rules.ts'
import type { Tables } from '#server/foundation/database/open.ts'
import type { StoredTest } from '#server/foundation/database/schema/upstreams.ts'
import { conflictsIn, invalid, Refusal, refuseConflicts } from '#server/foundation/refusal.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import {
  BLANK,
  inForce,
  type ModelKnowledge,
  type NamedModel,
  sameModel,
  settingsView,
  withSetContext,
} from './capabilities.ts'
import { DEMONSTRATION_KEY } from './endpoints.ts'
import { columnsOf as healthColumns, NORMAL } from './health.ts'
import type { CoolingModel } from './healths.ts'
import { sealedColumns, expiryOf, withoutSecret } from './secret.ts'
import type { SharedUpstream } from './settingsView.ts'
import type { ModelRow, UpstreamRow } from './store.ts'
import { addressOf, originOf, type Health } from './upstream.ts'
import type { ReportedRow } from './windows/pools.ts'
import { reportsView } from './windows/reportsView.ts'
import { sharingColumns, sharingView } from './windows/sharing.ts'

/** Characters. Four of a shorter secret would be too much of it. */
const MIN_LENGTH_TO_SHOW = 12

/** Who entered a key, and when. */
type KeySet = Pick<KeyState, 'changed_by' | 'changed_at'>

type Shown = {
  row: SharedUpstream
  health: Health
  cooling: readonly CoolingModel[]
  models: readonly ModelRow[]
  /** The models that it is asked for, and all that is known of models there. */
  served: readonly NamedModel[]
  known: readonly ModelRow[]
  reach: ProviderEndpoint
  settings: Configuration
  now: number
  keySet: KeySet
  owner_name: string | null
  reports: readonly ReportedRow[]
  /** Of a model, by what the upstream calls it. */
  learnedContext(model_name: string): number | null
}

/** An upstream as administrators see it: never its secret. */
export function upstreamView({
  row,
  health,
  cooling,
  models,
  served,
  known,
  learnedContext,
  reach,
  settings,
  now,
  keySet,
  owner_name,
  reports,
}: Shown): UpstreamRead {
  // Nobody has entered that one.
  const key = reach.key === DEMONSTRATION_KEY ? null : reach.key
  return {
    id: row.id,
    source: row.source as Source, // only the two sources are ever stored
    locked: [...row.locked],
    removable: row.removable,
    credential: row.credential,
    label: row.label,
    ...columnsOfRow(row),
    secret: '',
    _set: {
      secret: keyState(key, reach.unusable !== undefined, keySet),
    },
    token_expire_time: row.source === 'openai_web' ? timeOf(expiryOf(key)) : null,
    token_account: row.source === 'openai_web' ? (accountOfToken(key) ?? row.token_account) : null,
    enabled: row.locked.includes('enabled') ? settings[row.source as Source].enabled : row.enabled, // as above
    ...sharingView(row),
    owner_name,
    reported_windows: reportsView(row.windows ?? [], reports),
    paused_since: timeOf(row.paused_since),
    paused_by: row.paused_by,
    health: healthView(health, now),
    cooling_models: cooling.map(({ model, cooling_until, reason }) => ({
      model,
      until: timeOf(cooling_until),
      message: `errors.${reason}`,
    })),
    last_tested: timeOf(row.last_tested),
    last_test: row.last_test === null ? null : testView(row.last_test, row.source as Source), // as above
    models_read_time: timeOf(row.models_read_time),
    models_picked: row.models_picked,
    models: models.map(model => ({
      ...pickedView(model),
      offered: model.offered,
      learned_context_length: learnedContext(model.name),
    })),
    model_settings: settingsView(served, known, learnedContext),
  }
}

const pickedView = (model: ModelRow) => ({
  code: model.code,
  name: model.name,
  label: model.label,
  context_length: inForce(model).context_length,
})

function keyState(key: string | null, unreadable: boolean, keySet: KeySet): KeyState {
  if (key === null && !unreadable)
    return { set: false, last4: null, changed_by: null, changed_at: null, unreadable: false }
  const last4 = key !== null && key.length >= MIN_LENGTH_TO_SHOW ? key.slice(-4) : null
  return { set: key !== null, last4, ...keySet, unreadable }
}

/** What is shown of a row as it is. */
type Columns = Pick<
  UpstreamRead,
  | 'base_url'
  | 'key_header'
  | 'query'
  | 'proxy'
  | 'connect_timeout'
  | 'first_token_timeout'
  | 'read_timeout'
  | 'ask_timeout'
  | 'team_account_id'
  | 'concurrency'
  | 'shared_limit'
  | 'shared_limit_window_seconds'
  | 'dialects'
>

const columnsOfRow = (row: UpstreamRow): Columns => ({
  base_url: row.base_url,
  key_header: row.key_header,
  query: row.query,
  proxy: row.proxy,
  connect_timeout: row.connect_timeout,
  first_token_timeout: row.first_token_timeout,
  read_timeout: row.read_timeout,
  ask_timeout: row.ask_timeout,
  team_account_id: row.team_account_id,
  concurrency: row.concurrency,
  shared_limit: row.shared_limit,
  shared_limit_window_seconds: row.shared_limit_window_seconds,
  dialects: row.dialects,
})

function healthView(health: Health, now: number): UpstreamRead['health'] {
  if (health.state === 'normal' || (health.state === 'cooling' && health.until <= now))
    return { state: 'normal', since: null, until: null, message: null }
  const { state, since, reason } = health
  const until = health.state === 'cooling' ? health.until : health.next_try
  return { state, since: timeOf(since), until: timeOf(until), message: `errors.${reason}` }
}

export function timeOf(time: number): string
export function timeOf(time: number | null): string | null
export function timeOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

type Sent = Partial<Omit<NewUpstream, 'source'>> & Partial<Pick<UpstreamChanges, 'expected'>>
type StoredColumns = Updateable<Tables['upstreams']>

const ADDRESS: Record<Source, string> = {
  openai_api: 'openai_api.openai_base_url',
  openai_web: 'openai_web.chatgpt_base_url',
}

/** The columns for what was sent, except for the secret and the models. A query in the address is stored by itself. */
export function columnsOf(sent: Sent, source: Source, before: UpstreamRow | null = null): StoredColumns {
  const { secret: _secret, models: _models, model_settings: _settings, expected: _expected, ...others } = sent
  const { windows, sharing, keep, reserve_percent, names, owner_id, pool, ...reached } = others
  const { base_url, query, key_header, ...rest } = reached
  requireAllowed('base_url', ADDRESS[source], base_url)
  requireAllowed('key_header', 'openai_api.key_header', key_header)
  return {
    ...rest,
    ...sharingColumns({ windows, sharing, keep, reserve_percent, names, owner_id, pool }, before, source),
    ...(key_header !== undefined && { key_header: key_header || null }),
    ...(query !== undefined && { query: query?.replace(/^\?/, '') || null }),
    ...(base_url !== undefined && addressColumns(base_url, query)),
  }
}

function addressColumns(base_url: string | null, query: string | null | undefined): StoredColumns {
  const at = base_url?.indexOf('?') ?? -1
  if (base_url === null || at < 0) return { base_url }
  if (query) throw invalid(['body', 'query'], 'The address has a query already')
  return { base_url: base_url.slice(0, at), query: base_url.slice(at + 1) || null }
}

function requireAllowed(field: string, setting: string, value: string | null | undefined): void {
  const wrong = value == null ? null : validationErrorIn(setting, value)
  if (wrong !== null) throw invalid(['body', field], wrong)
}

/** What was sent as a secret, as it is meant: a key, or the token in the JSON of a session. */
export function secretOf<Sent extends string | null | undefined>(sent: Sent, source: Source): Sent | string {
  if (sent === null || sent === undefined) return sent
  const { data, error } = SECRET_TEXT[source].safeParse(sent)
  if (error !== undefined) throw invalid(['body', 'secret'], error.issues[0]?.message ?? 'not allowed')
  return data ?? sent
}

/** What sealing a secret needs. `by_user_id` is null on the command line. */
type Sealing = { settings: Configuration; secretBox: SecretBox; by_user_id: number | null; now: number }

/**
 * The secret of an upstream that becomes `after`: what was sent, sealed for where the address then leads; else the one
 * that it has, as long as the address still leads there.
 */
export function secretColumns(
  secret: string | null | undefined,
  before: UpstreamRow | null,
  after: Pick<UpstreamRow, 'id' | 'source' | 'base_url' | 'query' | 'secret_form'>,
  { settings, secretBox, by_user_id, now }: Sealing,
): Partial<Pick<UpstreamRow, keyof ReturnType<typeof withoutSecret>>> {
  const origin = originOf(addressOf(after, settings))
  if (secret) {
    return { ...sealedColumns(secretBox, after, origin, secret), secret_by: by_user_id, secret_time: now }
  }
  const isKept = secret !== null && before !== null && originOf(addressOf(before, settings)) === origin
  if (before === null) return { token_account: null }
  return isKept ? {} : withoutSecret(secretBox, before)
}

/** Resets the health when address, key or proxy change. */
export function healthAfterChange(sent: Sent): StoredColumns {
  const isReachedOtherwise = [sent.secret, sent.base_url, sent.query, sent.key_header, sent.proxy].some(
    value => value !== undefined && value !== '',
  )
  return isReachedOtherwise ? healthColumns(NORMAL) : {}
}

/** The models that an administrator picked; each code once. What was known of them before stays known. */
export function pickedModels(
  models: NonNullable<NewUpstream['models']>,
  before: readonly ModelKnowledge[],
): ModelKnowledge[] {
  const codes = models.map(({ code }) => code)
  const twice = codes.findIndex((code, at) => codes.indexOf(code) !== at)
  if (twice >= 0) throw invalid(['body', 'models', twice, 'code'], 'named twice')
  return models.map(({ context_length, ...model }) => {
    const earlier = sameModel(before, model)
    const set_capabilities = withSetContext(earlier, context_length)
    return { ...BLANK, ...earlier, ...model, set_capabilities, offered: true }
  })
}

/** Refuses where somebody else has changed what the sender saw of the fields that are sent. */
export function requireUnchanged(
  row: UpstreamRow,
  models: readonly ModelRow[],
  { expected = {}, ...sent }: UpstreamChanges,
): void {
  const picked = models.filter(({ offered }) => offered)
  const stored = {
    ...columnsOfRow(row),
    ...sharingView(row),
    ...{ label: row.label, enabled: row.enabled, secret: timeOf(row.secret_time) },
    models: row.models_picked ? picked.map(pickedView) : null,
  }
  const { model_settings = [], ...seen } = expected
  refuseConflicts([
    ...conflictsIn([], stored, seen, sent),
    ...conflictsIn(
      ['model_settings'],
      byName(settingsView(model_settings, models, () => null)),
      byName(model_settings),
      byName(sent.model_settings ?? []),
    ),
  ])
}

type SetOfModel = Pick<UpstreamRead['model_settings'][number], 'name' | 'set' | 'request_fields'> & {
  thinking_fields?: unknown
}

const byName = (settings: readonly SetOfModel[]) =>
  Object.fromEntries(
    settings.map(({ name, set, request_fields, thinking_fields = null }) => [
      name,
      { set, request_fields, thinking_fields },
    ]),
  )

/** What is locked is changed where the settings of its source are. */
export function requireChangeable({ locked }: Pick<SharedUpstream, 'locked'>, sent: Sent): void {
  if (locked.some(field => sent[field] !== undefined)) throw new Refusal('upstreamIsFirst')
}

/** The step at which a test failed that ended with this refusal. Any other refusal means that the address is wrong. */
const REFUSED_AT: Partial<Record<RefusalKey, TestStep>> = {
  'openai.401': 'key',
  'openai.403': 'key',
  'openai.quota': 'key',
  'openai.429': 'key',
  'openai.500': 'key',
  keyUnreadable: 'key',
  'openai.oneAtATime': 'key',
  'openai.accountDeactivated': 'key',
  'openai.unusualActivity': 'key',
}

/** A web account has no list of models. */
const LAST_STEP: Record<Source, TestStep> = { openai_api: 'models', openai_web: 'key' }

/** The outcome of each step: those before the failed one were passed, those after it not tried. */
export function stepsOf(message: string | null, source: Source): UpstreamTest['steps'] {
  const steps: Readonly<Record<string, TestStep>> = REFUSED_AT
  const last = TEST_STEPS.indexOf(LAST_STEP[source])
  const failed = message === null ? last + 1 : TEST_STEPS.indexOf(steps[message.replace('errors.', '')] ?? 'address')
  return TEST_STEPS.map((step, at) => ({
    step,
    outcome: at < failed ? 'ok' : at === failed && message !== null ? 'failed' : 'untried',
  }))
}

export const testView = (test: StoredTest, source: Source): UpstreamTest => ({
  ...test,
  proxy: test.proxy ?? null,
  dialects: test.dialects ?? null,
  steps: stepsOf(test.message, source),
})
