import * as z from 'zod/mini'
import { MIN_PASSWORD_LENGTH, Username } from './accountFields.ts'
import { type Call, nothing } from './call.ts'
import { MAX_TEXT_LENGTH } from './asking.ts'
import { storable } from './envelope.ts'
import { Count, RateLimit, TimeSlot, WHOLE_DAY } from './limits.ts'
import { DEFAULT_MODEL_CODE_MAPPING, ModelChoice, ModelCode } from './models.ts'
import { address, keyText, seconds, secretText, setting, timeout } from './settings.ts'

const text = z.string().check(z.maxLength(2000), storable)
const nullableText = z.nullable(text)
const models = z.array(ModelCode).check(z.maxLength(200))
const sharedLimit = z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000)))
/** RFC 9110, section 5.6.2. */
const headerName = z.nullable(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(64),
      z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/, 'not the name of a header, such as api-key'),
    ),
)
const mapping = z.record(ModelCode, z.string().check(z.minLength(1), z.maxLength(200)))

/** A model beyond the specification's codes. */
export const FurtherModel = z.object({
  code: ModelCode,
  label: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Its name at the upstream. */
  upstream_name: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Tokens; older messages are left out when a conversation grows beyond it. null = not bounded. */
  context_length: z._default(z.nullable(z.int().check(z.minimum(256), z.maximum(100_000_000))), null),
})
export type FurtherModel = z.infer<typeof FurtherModel>

export const WebSource = z.object({
  enabled: setting(z.boolean(), false, { help: 'Offer the shared web account as a source.' }),
  is_plus_account: setting(z.boolean(), true, { planned: true, help: 'The shared account has a paid subscription.' }),
  enable_team_subscription: setting(z.boolean(), false, {
    help: 'Let people with use_team ask through the team account.',
  }),
  team_account_id: setting(nullableText, null, { planned: true, help: 'Account id of the team subscription.' }),
  chatgpt_base_url: setting(address, null, { help: 'Base address of the web service or of a reverse proxy for it.' }),
  proxy: setting(address, null, { planned: true, help: 'Proxy for requests to the web service.' }),
  wss_proxy: setting(address, null, { planned: true, help: 'Proxy for its WebSocket.' }),
  enable_arkose_endpoint: setting(z.boolean(), false, {
    planned: true,
    help: 'Ask the browser for an Arkose token before each question.',
  }),
  arkose_endpoint_base: setting(z.nullable(z.string().check(z.regex(/^https?:\/\/\S+\/v2\/$/))), null, {
    planned: true,
    help: 'Address of the Arkose endpoint; ends in /v2/.',
  }),
  common_timeout: setting(timeout, 20, {
    planned: true,
    unit: 'seconds',
    help: 'Longest wait for an ordinary request to the web service.',
  }),
  ask_timeout: setting(timeout, 600, {
    planned: true,
    unit: 'seconds',
    help: 'Longest a reply may take before the ask is given up.',
  }),
  sync_conversations_on_startup: setting(z.boolean(), false, {
    planned: true,
    restart: true,
    help: 'Fetch the list of conversations at start.',
  }),
  sync_conversations_schedule: setting(z.boolean(), false, {
    planned: true,
    help: 'Fetch the list of conversations regularly.',
  }),
  sync_conversations_schedule_interval_hours: setting(z.int().check(z.minimum(1), z.maximum(8760)), 12, {
    planned: true,
    unit: 'hours',
    help: 'How often the list is fetched.',
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
  max_completion_concurrency: setting(z.int().check(z.minimum(1), z.maximum(10_000)), 1, {
    unit: 'asks',
    help: 'How many asks the shared account may answer at once; the rest queue.',
  }),
  disable_uploading: setting(z.boolean(), false, { help: 'Nobody may upload files.' }),
  shared_limit: setting(sharedLimit, 50, {
    unit: 'messages',
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
  max_completion_concurrency: setting(z.int().check(z.minimum(1), z.maximum(10_000)), 256, {
    unit: 'asks',
    help: 'How many asks the key may answer at once; the rest queue.',
  }),
  max_answer_length: setting(z.int().check(z.minimum(1000), z.maximum(20_000_000)), 2_000_000, {
    unit: 'characters',
    help: 'An answer that grows beyond this is cut.',
  }),
  shared_limit: setting(sharedLimit, null, {
    unit: 'messages',
    help: 'What the key allows in the window below; shown to everybody. Empty: only how many were asked is shown.',
  }),
  shared_limit_window_seconds: setting(seconds, 10_800, { unit: 'seconds', help: 'The window of that limit.' }),
})

export const Portal = z.object({
  name: setting(z.nullable(z.string().check(z.maxLength(40))), null, {
    help: 'Name shown in the header in place of Chat Commons.',
  }),
  show_names_in_line: setting(z.boolean(), false, {
    help: 'Everybody sees the nicknames of those who are being answered or wait.',
  }),
  time_zone: setting(z.string().check(z.maxLength(64)), 'UTC', {
    environment: 'TZ',
    help: 'IANA time zone of time slots and daily resets.',
  }),
  public_origin: setting(address, null, {
    startOnly: true,
    restart: true,
    help: 'Address people open, such as https://chat.example.org. Behind a reverse proxy it must be set: requests from other origins are refused.',
  }),
})

export const Asking = z.object({
  max_running_asks_per_user: setting(z.int().check(z.minimum(1), z.maximum(100)), 1, {
    unit: 'asks',
    help: 'How many answers one person may wait for at once.',
  }),
  max_queue_length: setting(z.int().check(z.minimum(1), z.maximum(10_000)), 200, {
    unit: 'asks',
    help: 'When so many wait for one account, further asks are refused.',
  }),
  max_text_length: setting(z.int().check(z.minimum(1), z.maximum(MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH, {
    unit: 'characters',
    help: 'Longest question.',
  }),
  max_messages_per_conversation: setting(z.int().check(z.minimum(10), z.maximum(100_000)), 5000, {
    unit: 'messages',
    help: 'A conversation of this size is finished.',
  }),
  max_conversation_bytes: setting(z.int().check(z.minimum(65_536), z.maximum(268_435_456)), 16_777_216, {
    unit: 'bytes',
    help: 'So does one whose messages take this much: it is read as a whole.',
  }),
  default_context_message_count: setting(z.int().check(z.minimum(0), z.maximum(1000)), 1000, {
    unit: 'messages',
    help: 'How many earlier messages go along with a question when it does not say.',
  }),
  lease_seconds: setting(z.int().check(z.minimum(3), z.maximum(600)), 15, {
    unit: 'seconds',
    restart: true,
    help: 'After so long without a sign of life a running ask is closed as interrupted.',
  }),
})

export const NewUsers = z.object({
  allow_to_use: setting(z.boolean(), true, { help: 'A new person may ask at once.' }),
  valid_days: setting(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500))), null, {
    unit: 'days',
    help: 'How long an account may ask; empty: for ever.',
  }),
  max_conv_count: setting(Count, -1, { help: 'Conversations of each source; -1 is unlimited.' }),
  total_ask_count: setting(Count, -1, { unit: 'asks', help: 'Asks of each source; -1 is unlimited.' }),
  per_model_ask_count: setting(
    z.record(ModelCode, Count),
    {},
    { unit: 'asks', help: 'Asks of each model; a model without an entry is unlimited.' },
  ),
  rate_limits: setting(z.array(RateLimit).check(z.maxLength(20)), [], {
    help: 'At most max_requests asks in any window_seconds.',
  }),
  daily_available_time_slots: setting(z.array(TimeSlot).check(z.maxLength(48)), [WHOLE_DAY], {
    help: 'When asking is allowed, in the time zone of the portal.',
  }),
  allow_custom_openai_api: setting(z.boolean(), false, { help: 'People may use an address and key of their own.' }),
})

export const Common = z.object({
  print_sql: setting(z.boolean(), false, {
    help: 'Write each statement that reads or changes what is stored to the log, at level INFO: its text, never its values.',
  }),
  print_traceback: setting(z.boolean(), true, { help: 'Write the stack of unexpected errors to the log.' }),
  create_initial_admin_user: setting(z.boolean(), true, {
    startOnly: true,
    restart: true,
    help: 'Make an administrator at the first start.',
  }),
  initial_admin_user_username: setting(Username, 'admin', {
    startOnly: true,
    restart: true,
    help: 'User name of that administrator.',
  }),
  initial_admin_user_password: setting(
    z.nullable(z.string().check(z.minLength(MIN_PASSWORD_LENGTH), z.maxLength(128))),
    null,
    { startOnly: true, secret: true, restart: true, help: 'Its password; empty: one is generated and printed once.' },
  ),
})

export const Http = z.object({
  host: setting(text, '127.0.0.1', {
    startOnly: true,
    restart: true,
    environment: 'HOST',
    help: 'Address to listen on.',
  }),
  port: setting(z.int().check(z.minimum(1), z.maximum(65_535)), 8000, {
    startOnly: true,
    restart: true,
    environment: 'PORT',
    help: 'Port to listen on.',
  }),
  trusted_proxies: setting(z.array(text), [], {
    startOnly: true,
    restart: true,
    help: 'Addresses or ranges of reverse proxies whose X-Forwarded headers count.',
  }),
  cors_allow_origins: setting(z.array(text), [], {
    startOnly: true,
    restart: true,
    help: 'Further origins that may use the API with a session.',
  }),
  metrics_token: setting(secretText, null, {
    startOnly: true,
    secret: true,
    restart: true,
    help: 'Bearer token for /metrics; without one the page does not exist.',
  }),
  max_sockets_per_user: setting(z.int().check(z.minimum(1), z.maximum(1000)), 10, {
    help: 'Open chat sockets of one person.',
  }),
  max_sockets: setting(z.int().check(z.minimum(1), z.maximum(1_000_000)), 2000, {
    help: 'Open chat sockets of the process.',
  }),
  requests_per_minute: setting(z.int().check(z.minimum(10), z.maximum(1_000_000)), 1200, {
    help: 'Requests of one session or address in a minute.',
  }),
})

export const Data = z.object({
  data_dir: setting(text, './data', {
    startOnly: true,
    restart: true,
    help: 'Folder of the database, keys and files.',
  }),
  database_url: setting(secretText, null, {
    startOnly: true,
    secret: true,
    restart: true,
    environment: 'DATABASE_URL',
    help: 'PostgreSQL in place of the embedded database: postgres://…',
  }),
  run_migration: setting(z.boolean(), true, {
    startOnly: true,
    restart: true,
    help: 'Bring the database up to date at start.',
  }),
  max_file_upload_size: setting(z.int().check(z.minimum(0), z.maximum(536_870_912)), 104_857_600, {
    unit: 'bytes',
    help: 'Largest file kept on this server.',
  }),
  max_upload_bytes_per_user: setting(z.int().check(z.minimum(0), z.maximum(1_000_000_000_000_000)), 5_368_709_120, {
    unit: 'bytes',
    help: 'How much the files of one person may take on this server.',
  }),
})

export const Auth = z.object({
  jwt_lifetime_seconds: setting(seconds, 259_200, { unit: 'seconds', help: 'Longest life of a session.' }),
  cookie_max_age: setting(seconds, 259_200, { unit: 'seconds', help: 'How long the browser keeps the cookie.' }),
  remember_seconds: setting(seconds, 2_592_000, {
    unit: 'seconds',
    help: 'Both of the above for somebody who chose to be remembered.',
  }),
  allow_private_custom_urls: setting(z.array(text), [], {
    startOnly: true,
    restart: true,
    help: 'Private addresses or ranges that people’s own API addresses may point at.',
  }),
})

export const Stats = z.object({
  ask_stats_ttl: setting(z.int().check(z.minimum(-1)), 7_776_000, {
    planned: true,
    unit: 'seconds',
    help: 'How long asks are remembered for statistics; -1: for ever.',
  }),
  request_stats_ttl: setting(z.int().check(z.minimum(-1)), 2_592_000, {
    planned: true,
    unit: 'seconds',
    help: 'How long requests are remembered; -1: for ever.',
  }),
  request_stats_filter_keywords: setting(z.array(text), ['/status'], {
    planned: true,
    help: 'Paths with one of these words are not counted.',
  }),
})

export const Log = z.object({
  console_log_level: setting(z.enum(['INFO', 'DEBUG', 'WARNING']), 'INFO', { help: 'How much is written to the log.' }),
})

export const Configuration = z.object({
  openai_web: z.prefault(WebSource, {}),
  openai_api: z.prefault(ApiSource, {}),
  portal: z.prefault(Portal, {}),
  asking: z.prefault(Asking, {}),
  new_users: z.prefault(NewUsers, {}),
  common: z.prefault(Common, {}),
  http: z.prefault(Http, {}),
  data: z.prefault(Data, {}),
  auth: z.prefault(Auth, {}),
  stats: z.prefault(Stats, {}),
  log: z.prefault(Log, {}),
})
export type Configuration = z.output<typeof Configuration>
export const SECTIONS = {
  openai_web: WebSource,
  openai_api: ApiSource,
  portal: Portal,
  asking: Asking,
  new_users: NewUsers,
  common: Common,
  http: Http,
  data: Data,
  auth: Auth,
  stats: Stats,
  log: Log,
} as const satisfies Record<keyof Configuration, z.ZodMiniObject>

/** Where the value in force comes from. */
export const Origin = z.enum(['default', 'file', 'stored', 'environment'])
export type Origin = z.infer<typeof Origin>

/**
 * The sections with their values. A secret is always blank; `_set_secrets` lists those that have a value. Sent back, `_version` tells what was
 * read: only what differs from that is meant.
 */
export const ConfigurationRead = z.looseObject({
  _version: z.string(),
  _origins: z.record(z.string(), Origin),
  _set_secrets: z.array(z.string()),
})

export const Credentials = z.object({
  openai_web_access_token: keyText,
  openai_api_key: keyText,
})
export type Credentials = z.infer<typeof Credentials>
export const CredentialsRead = z.extend(Credentials, {
  _set: z.record(z.string(), z.object({ set: z.boolean(), last4: z.nullable(z.string()) })),
})

export const readConfiguration = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/config',
  summary: 'The configuration in force, without secrets.',
  result: ConfigurationRead,
} as const satisfies Call

export const updateConfiguration = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/config',
  summary: 'Stores settings; keys left out keep their value.',
  /** Whole objects come back as they were read, with their `_version` and what says where the values come from, which is ignored. */
  body: z.record(z.string(), z.unknown()),
  result: ConfigurationRead,
} as const satisfies Call

export const ReadModels = z.object({
  /** How many models the endpoint lists; null where it was not asked: without an address of its own. */
  listed: z.nullable(z.int()),
  /** What people may choose from now. */
  models: z.array(ModelChoice),
})
export type ReadModels = z.infer<typeof ReadModels>

export const readModelsAgain = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/action/read-models',
  summary: 'Asks the endpoint for its models once more, and offers those.',
  result: ReadModels,
} as const satisfies Call

export const readCredentials = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/credentials',
  summary: 'Which credentials are set.',
  result: CredentialsRead,
} as const satisfies Call

export const updateCredentials = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/credentials',
  summary: 'Blank keeps, null clears, anything else replaces.',
  body: z.partial(Credentials),
  result: CredentialsRead,
} as const satisfies Call
