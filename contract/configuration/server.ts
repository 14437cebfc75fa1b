/** The sections of the configuration about the server itself: common, http, data, auth, stats and log. */
import * as z from 'zod/mini'
import { MIN_PASSWORD_LENGTH, Username } from '#contract/users.ts'
import { storable } from '../envelope.ts'
import { seconds, secretText, setting } from '../settings.ts'

const text = z.string().check(z.maxLength(2000), storable)

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
  port: setting(z.int().check(z.minimum(0), z.maximum(65_535)), 8000, {
    startOnly: true,
    restart: true,
    environment: 'PORT',
    help: 'Port to listen on, 1 to 65535. 0: any free one, for tests, which read it from the line that says where the portal listens.',
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
  ask_stats_ttl: setting(z.int().check(z.minimum(-1), z.maximum(3_153_600_000)), 7_776_000, {
    unit: 'seconds',
    help: 'How long the log of asks is kept, with its statistics: a day at least, since the meters of the accounts count from it. -1: for ever.',
  }),
  request_stats_ttl: setting(z.int().check(z.minimum(-1), z.maximum(3_153_600_000)), 2_592_000, {
    unit: 'seconds',
    help: 'How long the sums of requests are kept, by the minute for two days at most. -1: for ever.',
  }),
  request_stats_filter_keywords: setting(z.array(text.check(z.minLength(1))).check(z.maxLength(100)), ['/status'], {
    help: 'Requests whose path has one of these words are not counted.',
  }),
})

export const Log = z.object({
  console_log_level: setting(z.enum(['INFO', 'DEBUG', 'WARNING']), 'INFO', {
    help: 'How much is written to standard output. The log files of the portal have at least what is INFO or worse.',
  }),
  proxy_log_file: setting(z.nullable(text), null, {
    startOnly: true,
    restart: true,
    help: 'Access log of the reverse proxy in front of the portal, for administrators to read on the page: the full path of a regular file outside the data folder.',
  }),
})
