/** The sections of the configuration that say how each source is reached and shared: openai_web and openai_api. */
import * as z from 'zod/mini'
import { storable } from '../envelope.ts'
import { ContextLength, DEFAULT_MODEL_CODE_MAPPING, ModelCode } from '../models.ts'
import { address, atMost, concurrency, headerName, seconds, setting, sharedLimit, timeout } from '../settings.ts'

const models = z.array(ModelCode).check(z.maxLength(200))
const mapping = z.record(ModelCode, z.string().check(z.minLength(1), z.maxLength(200))).check(atMost(200))

/** A model beyond the specification's codes. */
export const FurtherModel = z.object({
  code: ModelCode,
  label: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Its name at the upstream. */
  upstream_name: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Tokens. When a conversation grows beyond it, older messages are left out. null: no bound. */
  context_length: z._default(z.nullable(ContextLength), null),
})
export type FurtherModel = z.infer<typeof FurtherModel>

/** Without encryption only on the portal's own machine. */
const storageOrigin = z
  .string()
  .check(
    z.trim(),
    z.maxLength(300),
    z.regex(
      /^(?:https:\/\/[\w.-]+|http:\/\/(?:127\.0\.0\.1|localhost))(?::\d{1,5})?$/,
      'not an origin such as https://files.example.org',
    ),
  )

export const WebSource = z.object({
  enabled: setting(z.boolean(), false),
  is_plus_account: setting(z.boolean(), true),
  enable_team_subscription: setting(z.boolean(), false),
  team_account_id: setting(z.nullable(z.string().check(z.maxLength(2000), storable)), null),
  chatgpt_base_url: setting(address, null),
  proxy: setting(address, null),
  wss_proxy: setting(address, null),
  enable_arkose_endpoint: setting(z.boolean(), false),
  arkose_endpoint_base: setting(
    z.nullable(
      z
        .string()
        .check(
          z.maxLength(2000),
          z.regex(
            /^https?:\/\/[^\s/?#@]+(?:\/[\w.~-]+)*\/v2\/$/,
            'not an address that ends in /v2/, such as https://example.org/v2/',
          ),
        ),
    ),
    null,
  ),
  common_timeout: setting(timeout, 20, { unit: 'seconds' }),
  ask_timeout: setting(timeout, 600, { unit: 'seconds' }),
  sync_conversations_on_startup: setting(z.boolean(), false, { restart: true }),
  sync_conversations_schedule: setting(z.boolean(), false),
  sync_conversations_schedule_interval_hours: setting(z.int().check(z.minimum(1), z.maximum(8760)), 12, {
    unit: 'hours',
  }),
  enabled_models: setting(models, ['gpt_3_5', 'gpt_4', 'gpt_4_plugins']),
  model_code_mapping: setting(mapping, { ...DEFAULT_MODEL_CODE_MAPPING.openai_web }),
  file_upload_strategy: setting(
    z.enum(['server_upload_only', 'browser_upload_only', 'browser_upload_when_file_size_exceed']),
    'browser_upload_only',
  ),
  upload_origins: setting(z.array(storageOrigin).check(z.maxLength(20)), []),
  max_completion_concurrency: setting(concurrency, 1, { unit: 'asks' }),
  disable_uploading: setting(z.boolean(), false),
  shared_limit: setting(sharedLimit, 50, { unit: 'asks', note: 'Empty: nothing is shown.' }),
  shared_limit_window_seconds: setting(seconds, 10_800, { unit: 'seconds' }),
})

export const ApiSource = z.object({
  enabled: setting(z.boolean(), true),
  openai_base_url: setting(address, null, {
    environment: 'OPENAI_BASE_URL',
    note: 'A query stays behind the path (docs/endpoints.md).',
  }),
  key_header: setting(headerName, null, { note: 'People’s own endpoints always get the latter.' }),
  proxy: setting(address, null, {
    note: 'Own endpoints are asked for by their address, never by name; the environment counts for the endpoint alone, with HTTP_PROXY and NO_PROXY.',
  }),
  connect_timeout: setting(timeout, 10, { unit: 'seconds' }),
  first_token_timeout: setting(timeout, 120, { unit: 'seconds' }),
  read_timeout: setting(timeout, 20, { unit: 'seconds' }),
  ask_timeout: setting(timeout, 600, { unit: 'seconds' }),
  enabled_models: setting(models, ['gpt_3_5', 'gpt_4'], {
    note: 'By their codes, or by the names that the endpoint has for them.',
  }),
  model_code_mapping: setting(mapping, { ...DEFAULT_MODEL_CODE_MAPPING.openai_api }),
  further_models: setting(z.array(FurtherModel).check(z.maxLength(100)), [], {
    note: 'Each has code, label, upstream_name and context_length.',
  }),
  max_completion_concurrency: setting(concurrency, 256, { unit: 'asks' }),
  max_answer_length: setting(z.int().check(z.minimum(1000), z.maximum(20_000_000)), 2_000_000, { unit: 'characters' }),
  shared_limit: setting(sharedLimit, null, { unit: 'asks' }),
  shared_limit_window_seconds: setting(seconds, 10_800, { unit: 'seconds' }),
})
