import type { UpstreamRead } from '#contract/upstreams.ts'
import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import type { ProviderEndpoint } from '#server/providers/provider.ts'
import type { ModelRow, UpstreamRow } from './store.ts'
import type { Health } from './upstream.ts'

/** Characters. Four of a shorter secret would be too much of it. */
const LONG_ENOUGH_TO_SHOW = 12

type Shown = {
  row: UpstreamRow
  health: Health
  models: readonly ModelRow[]
  reach: ProviderEndpoint
  settings: Configuration
  now: number
}

/** An upstream as administrators see it: never its secret. */
export function upstreamView({ row, health, models, reach: { key }, settings, now }: Shown): UpstreamRead {
  return {
    id: row.id,
    source: row.source as Source, // only the two sources are ever stored
    is_first: row.is_first,
    label: row.label,
    ...(row.is_first ? ofSettings(row, settings) : ofRow(row)),
    secret: '',
    _set: {
      secret: { set: key !== null, last4: key !== null && key.length >= LONG_ENOUGH_TO_SHOW ? key.slice(-4) : null },
    },
    enabled: row.is_first ? settings[row.source as Source].enabled : row.enabled,
    paused_since: timeOf(row.paused_since),
    paused_by: row.paused_by,
    health: healthView(health, now),
    last_tested: timeOf(row.last_tested),
    last_test: row.last_test,
    models_read_time: timeOf(row.models_read_time),
    models_picked: row.models_picked,
    models: models.map(({ code, name, label, context_length, offered }) => ({
      code,
      name,
      label,
      context_length,
      offered,
    })),
    version: row.version,
  }
}

type Set = Omit<UpstreamRead, 'id' | 'source' | 'is_first' | 'label' | 'secret' | '_set' | 'enabled' | 'health'> &
  Pick<UpstreamRow, 'version'>
type Columns = Pick<
  Set,
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
>

const ofRow = (row: UpstreamRow): Columns => ({
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
})

function ofSettings(row: UpstreamRow, { openai_api, openai_web }: Configuration): Columns {
  const isApi = row.source === 'openai_api'
  const { max_completion_concurrency, shared_limit, shared_limit_window_seconds } = isApi ? openai_api : openai_web
  return {
    ...ofRow(row),
    base_url: isApi ? openai_api.openai_base_url : openai_web.chatgpt_base_url,
    key_header: isApi ? openai_api.key_header : null,
    proxy: isApi ? openai_api.proxy : null,
    concurrency: max_completion_concurrency,
    shared_limit,
    shared_limit_window_seconds,
  }
}

function healthView(health: Health, now: number): UpstreamRead['health'] {
  if (health.state === 'normal' || (health.state === 'cooling' && health.until <= now))
    return { state: 'normal', since: null, until: null, message: null }
  const { state, since, reason } = health
  const until = health.state === 'cooling' ? health.until : health.next_try
  return { state, since: timeOf(since), until: timeOf(until), message: `errors.${reason}` }
}

function timeOf(time: number): string
function timeOf(time: number | null): string | null
function timeOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
