/** The sections of the configuration about the server: common, http, data, files, keeping, auth, stats and log. */
import * as z from 'zod/mini'
import { MIN_PASSWORD_LENGTH, Username } from '#contract/users.ts'
import { MAX_ASK_ATTACHMENTS } from '../asking.ts'
import { storable } from '../envelope.ts'
import { seconds, secretText, setting } from '../settings.ts'

const text = z.string().check(z.maxLength(2000), storable)

export const Common = z.object({
  print_sql: setting(z.boolean(), false, { note: 'At level INFO.' }),
  print_traceback: setting(z.boolean(), true),
  create_initial_admin_user: setting(z.boolean(), true, { startOnly: true, restart: true }),
  initial_admin_user_username: setting(Username, 'admin', { startOnly: true, restart: true }),
  initial_admin_user_password: setting(
    z.nullable(z.string().check(z.minLength(MIN_PASSWORD_LENGTH), z.maxLength(128))),
    null,
    { startOnly: true, secret: true, restart: true },
  ),
})

export const Http = z.object({
  host: setting(text, '127.0.0.1', { startOnly: true, restart: true, environment: 'HOST' }),
  port: setting(z.int().check(z.minimum(0), z.maximum(65_535)), 8000, {
    startOnly: true,
    restart: true,
    environment: 'PORT',
    note: 'They read it from the line that says where the portal listens.',
  }),
  trusted_proxies: setting(z.array(text), [], { startOnly: true, restart: true, note: 'Addresses or ranges.' }),
  cors_allow_origins: setting(z.array(text), [], { startOnly: true, restart: true }),
  metrics_token: setting(secretText, null, { startOnly: true, secret: true, restart: true }),
  max_sockets_per_user: setting(z.int().check(z.minimum(1), z.maximum(1000)), 10),
  max_sockets: setting(z.int().check(z.minimum(1), z.maximum(1_000_000)), 2000),
  requests_per_minute: setting(z.int().check(z.minimum(10), z.maximum(1_000_000)), 1200),
})

export const Data = z.object({
  data_dir: setting(text, './data', { startOnly: true, restart: true }),
  database_url: setting(secretText, null, {
    startOnly: true,
    secret: true,
    restart: true,
    environment: 'DATABASE_URL',
  }),
  run_migration: setting(z.boolean(), true, { startOnly: true, restart: true }),
  max_file_upload_size: setting(z.int().check(z.minimum(0), z.maximum(536_870_912)), 104_857_600, { unit: 'bytes' }),
  max_upload_bytes_per_user: setting(z.int().check(z.minimum(0), z.maximum(1_000_000_000_000_000)), 5_368_709_120, {
    unit: 'bytes',
  }),
})

/** Files that go with questions, of whatever source; how much one person may keep is a setting of `data`. */
export const Files = z.object({
  max_file_bytes: setting(z.int().check(z.minimum(1_024), z.maximum(536_870_912)), 20_971_520, {
    unit: 'bytes',
  }),
  max_picture_side: setting(z.int().check(z.minimum(256), z.maximum(8_192)), 2_048, {
    unit: 'pixels',
  }),
  picture_detail: setting(z.enum(['auto', 'low', 'high']), 'auto'),
  max_attachments: setting(z.int().check(z.minimum(0), z.maximum(MAX_ASK_ATTACHMENTS)), 10, {
    unit: 'files',
  }),
  max_ask_bytes: setting(z.int().check(z.minimum(1_024), z.maximum(1_073_741_824)), 52_428_800, {
    unit: 'bytes',
  }),
  retention_days: setting(z.nullable(z.int().check(z.minimum(1), z.maximum(36_500))), null, {
    unit: 'days',
  }),
})

/** What a person cannot count on for ever: each is removed for good by the job of a night. */
export const Keeping = z.object({
  conversation_days: setting(z.int().check(z.minimum(-1), z.maximum(36_500)), -1, {
    unit: 'days',
    note: 'A day at least; -1 is for ever. A plan may say otherwise.',
  }),
  deleted_days: setting(z.int().check(z.minimum(0), z.maximum(3_650)), 30, {
    unit: 'days',
    note: 'With 0 at once. A plan may say otherwise.',
  }),
  audit_days: setting(z.int().check(z.minimum(90), z.maximum(3_650)), 365, { unit: 'days' }),
})

export const Auth = z.object({
  jwt_lifetime_seconds: setting(seconds, 259_200, { unit: 'seconds' }),
  cookie_max_age: setting(seconds, 259_200, { unit: 'seconds' }),
  remember_seconds: setting(seconds, 2_592_000, { unit: 'seconds' }),
  password_sign_in: setting(z.boolean(), true, { note: 'Superusers always may.' }),
  superusers_by_rules: setting(z.boolean(), false),
  allow_private_custom_urls: setting(z.array(text), [], { startOnly: true, restart: true }),
})

export const Stats = z.object({
  ask_stats_ttl: setting(z.int().check(z.minimum(-1), z.maximum(3_153_600_000)), 7_776_000, {
    unit: 'seconds',
    note: 'A day at least, since the meters of the accounts count from it.',
  }),
  request_stats_ttl: setting(z.int().check(z.minimum(-1), z.maximum(3_153_600_000)), 2_592_000, {
    unit: 'seconds',
    note: 'By the minute for two days at most.',
  }),
  request_stats_filter_keywords: setting(z.array(text.check(z.minLength(1))).check(z.maxLength(100)), ['/status']),
})

export const Log = z.object({
  console_log_level: setting(z.enum(['INFO', 'DEBUG', 'WARNING']), 'INFO'),
  proxy_log_file: setting(z.nullable(text), null, { startOnly: true, restart: true }),
})
