import { type ModelCapabilities, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { UpstreamLoad, UpstreamRead } from '#contract/upstreams.ts'

/** An endpoint that was added, and answers as it should. */
export function anUpstream(more: Partial<UpstreamRead> = {}): UpstreamRead {
  return {
    id: 3,
    source: 'openai_api',
    locked: [],
    removable: true,
    credential: null,
    label: 'Second',
    base_url: 'https://gateway.example.org/v1/',
    secret: '',
    _set: {
      secret: { set: true, last4: 'x7Qk', changed_by: '周明', changed_at: '2026-11-18T08:00:00Z', unreadable: false },
    },
    token_expire_time: null,
    token_account: null,
    key_header: null,
    query: null,
    proxy: null,
    connect_timeout: null,
    first_token_timeout: null,
    read_timeout: null,
    ask_timeout: null,
    team_account_id: null,
    concurrency: 2,
    shared_limit: 50,
    shared_limit_window_seconds: 10_800,
    enabled: true,
    windows: [],
    sharing: 'first_come',
    keep: 'usual',
    reserve_percent: 0,
    names: 'full',
    owner_id: null,
    owner_name: null,
    pool: null,
    reported_windows: [],
    paused_since: null,
    paused_by: null,
    health: { state: 'normal', since: null, until: null, message: null },
    dialects: null,
    cooling_models: [],
    last_tested: new Date().toISOString(),
    last_test: {
      steps: [
        { step: 'address', outcome: 'ok' },
        { step: 'key', outcome: 'ok' },
        { step: 'models', outcome: 'ok' },
      ],
      message: null,
      values: null,
      listed: 2,
      duration: 212,
      proxy: 'none',
      dialects: null,
    },
    models_read_time: null,
    models_picked: false,
    models: [
      {
        code: 'mistral',
        name: 'mistral',
        label: null,
        context_length: null,
        offered: true,
        learned_context_length: null,
      },
      { code: 'qwen', name: 'qwen', label: null, context_length: 32_768, offered: true, learned_context_length: null },
    ],
    model_settings: [aModelSetting('mistral'), aModelSetting('qwen', { context_length: 32_768 })],
    ...more,
  }
}

/** The one of its source that the settings set. */
export const anUpstreamOfSettings = ({ source = 'openai_api', ...more }: Partial<UpstreamRead> = {}): UpstreamRead =>
  anUpstream({
    source,
    label: '',
    locked: ['base_url', 'secret', 'proxy', 'team_account_id', 'concurrency', 'enabled'],
    removable: false,
    credential: source === 'openai_web' ? 'openai_web_access_token' : 'openai_api_key',
    ...more,
  })

export function aLoad(more: Partial<UpstreamLoad> = {}): UpstreamLoad {
  return {
    id: 3,
    running: 1,
    places: 2,
    waiting: 0,
    used: 38,
    allowed: 50,
    window_seconds: 10_800,
    conversations: 612,
    paused_by: null,
    ...more,
  }
}

const aModelSetting = (
  name: string,
  read: Partial<ModelCapabilities> = {},
): UpstreamRead['model_settings'][number] => ({
  code: name,
  name,
  read: { ...UNKNOWN_CAPABILITIES, ...read },
  set: UNKNOWN_CAPABILITIES,
  request_fields: null,
  thinking_fields: null,
  learned_context_length: null,
})
