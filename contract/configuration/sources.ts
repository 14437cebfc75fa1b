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
  enabled: setting(z.boolean(), false, { help: 'Offer the shared web account as a source.' }),
  is_plus_account: setting(z.boolean(), true, { help: 'The shared account has a paid subscription.' }),
  enable_team_subscription: setting(z.boolean(), false, {
    help: 'Let people with use_team ask through the team account.',
  }),
  team_account_id: setting(z.nullable(z.string().check(z.maxLength(2000), storable)), null, {
    help: 'Account id of the team subscription.',
  }),
  chatgpt_base_url: setting(address, null, { help: 'Base address of the web service or of a reverse proxy for it.' }),
  proxy: setting(address, null, { help: 'Proxy for requests to the web service.' }),
  wss_proxy: setting(address, null, { help: 'Proxy for its WebSocket.' }),
  enable_arkose_endpoint: setting(z.boolean(), false, {
    help: 'Have the browser fetch an Arkose token before each question to the web service, through the portal. Without a token it is asked all the same.',
  }),
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
    { help: 'Address of the Arkose endpoint; ends in /v2/. People’s browsers reach it through the portal alone.' },
  ),
  common_timeout: setting(timeout, 20, {
    unit: 'seconds',
    help: 'Longest wait for an ordinary request to the web service.',
  }),
  ask_timeout: setting(timeout, 600, {
    unit: 'seconds',
    help: 'Longest a reply may take before the ask is given up.',
  }),
  sync_conversations_on_startup: setting(z.boolean(), false, {
    restart: true,
    help: 'Compare the conversations of the web accounts at each start.',
  }),
  sync_conversations_schedule: setting(z.boolean(), false, {
    help: 'Compare them regularly.',
  }),
  sync_conversations_schedule_interval_hours: setting(z.int().check(z.minimum(1), z.maximum(8760)), 12, {
    unit: 'hours',
    help: 'How often they are compared.',
  }),
  enabled_models: setting(models, ['gpt_3_5', 'gpt_4', 'gpt_4_plugins'], { help: 'Models people may choose.' }),
  model_code_mapping: setting(
    mapping,
    { ...DEFAULT_MODEL_CODE_MAPPING.openai_web },
    { help: 'Name of each model at the web service.' },
  ),
  file_upload_strategy: setting(
    z.enum(['server_upload_only', 'browser_upload_only', 'browser_upload_when_file_size_exceed']),
    'browser_upload_only',
    { help: 'Which way files go to the web service.' },
  ),
  upload_origins: setting(z.array(storageOrigin).check(z.maxLength(20)), [], {
    help: 'Origins of storage hosts, such as https://files.example.org, to which browsers may send files themselves. Files for all others go through the portal.',
  }),
  max_completion_concurrency: setting(concurrency, 1, {
    unit: 'asks',
    help: 'How many asks the shared account may answer at once; the rest queue.',
  }),
  disable_uploading: setting(z.boolean(), false, { help: 'Nobody may upload files.' }),
  shared_limit: setting(sharedLimit, 50, {
    unit: 'asks',
    help: 'What the account itself allows of its GPT-4 models in the window below; shown to everybody. Empty: nothing is shown.',
  }),
  shared_limit_window_seconds: setting(seconds, 10_800, { unit: 'seconds', help: 'The window of that limit.' }),
})

export const ApiSource = z.object({
  enabled: setting(z.boolean(), true, { help: 'Offer the OpenAI-compatible endpoint as a source.' }),
  openai_base_url: setting(address, null, {
    environment: 'OPENAI_BASE_URL',
    help: 'Base address of the endpoint, as far as /v1/; a query stays behind the path. The models it lists are offered (docs/endpoints.md). Empty: https://api.openai.com/v1/ when there is a key, else the built-in demonstration.',
  }),
  key_header: setting(headerName, null, {
    help: 'Header that carries the key as it is, such as api-key (Azure OpenAI); empty: Authorization: Bearer. People’s own endpoints always get the latter.',
  }),
  proxy: setting(address, null, {
    help: 'Proxy for requests to the endpoint, and to people’s own endpoints: those it is asked for by their address, never by name. Empty: HTTPS_PROXY or HTTP_PROXY with NO_PROXY of the environment, for the endpoint alone.',
  }),
  connect_timeout: setting(timeout, 10, { unit: 'seconds', help: 'Longest wait for a connection.' }),
  first_token_timeout: setting(timeout, 120, {
    unit: 'seconds',
    help: 'Longest wait for the first token of an answer that is streamed, a thought included; loading a model counts.',
  }),
  read_timeout: setting(timeout, 20, {
    unit: 'seconds',
    help: 'Longest silence after the first token of an answer that is streamed.',
  }),
  ask_timeout: setting(timeout, 600, { unit: 'seconds', help: 'Longest a whole answer may take.' }),
  enabled_models: setting(models, ['gpt_3_5', 'gpt_4'], {
    help: 'Models people may choose, besides the further ones. With openai_base_url, until this is set: the models that the endpoint lists; once it is set: these, by their codes or by the names that the endpoint has for them.',
  }),
  model_code_mapping: setting(
    mapping,
    { ...DEFAULT_MODEL_CODE_MAPPING.openai_api },
    { help: 'Name of each model at the endpoint.' },
  ),
  further_models: setting(z.array(FurtherModel).check(z.maxLength(100)), [], {
    help: 'Models beyond the built-in codes: code, label, upstream_name, context_length.',
  }),
  max_completion_concurrency: setting(concurrency, 256, {
    unit: 'asks',
    help: 'How many asks the key may answer at once; the rest queue.',
  }),
  max_answer_length: setting(z.int().check(z.minimum(1000), z.maximum(20_000_000)), 2_000_000, {
    unit: 'characters',
    help: 'An answer that grows beyond this is cut.',
  }),
  shared_limit: setting(sharedLimit, null, {
    unit: 'asks',
    help: 'What the key allows in the window below; shown to everybody. Empty: only how many were asked is shown.',
  }),
  shared_limit_window_seconds: setting(seconds, 10_800, { unit: 'seconds', help: 'The window of that limit.' }),
})
