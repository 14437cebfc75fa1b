import { isAbsolute } from 'node:path'
import { baseAddressOf } from '#contract/settings.ts'
import type { FurtherModel } from '#contract/configuration/sources.ts'
import { MODEL_CODES } from '#contract/models.ts'
import { rangeOf } from '#server/foundation/outbound/addresses.ts'

/** Headers that must not be replaced: they route the request, describe its body or grant access. */
const OTHER_HEADERS =
  /^(?:host|content-.*|cookie2?|set-cookie2?|transfer-encoding|te|trailer|connection|keep-alive|upgrade|expect|accept|accept-.*|origin|referer|user-agent|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*|access-control-.*)$/i

/** Rules beyond the schema, for values that have passed it. Each returns what is wrong, or null. */
const RULES: Record<string, (value: unknown) => string | null> = {
  'portal.time_zone': zone => (isTimeZone(String(zone)) ? null : 'not a time zone such as Asia/Shanghai'),
  'money.currency': code =>
    /^[A-Z]{3}$/.test(String(code)) ? null : 'not a code of three capital letters, such as EUR',
  'portal.public_origin': origin =>
    isOrigin(origin) ? null : 'not an address without a path, such as https://chat.example.org',
  'http.cors_allow_origins': each(origin => (isOrigin(origin) ? null : `${origin}: not an address without a path`)),
  'http.trusted_proxies': each(range =>
    isRange(range) ? null : `${range}: neither an address nor a range such as 10.0.0.0/8`,
  ),
  'auth.allow_private_custom_urls': each(range =>
    isRange(range) ? null : `${range}: neither an address nor a range such as 10.0.0.0/8`,
  ),
  'data.database_url': url =>
    url === null || /^postgres(?:ql)?:\/\/./.test(String(url)) ? null : 'not an address such as postgres://…',
  'openai_api.openai_base_url': endpointAddress,
  'openai_api.key_header': name =>
    name !== null && OTHER_HEADERS.test(String(name)) ? `${name}: carries something else` : null,
  'openai_web.chatgpt_base_url': baseAddress,
  'openai_api.further_models': furtherModels,
  'keeping.conversation_days': days => (days === 0 ? 'a day at least, or -1 for ever' : null),
  'log.proxy_log_file': path =>
    path === null || isAbsolute(String(path)) ? null : 'not a full path such as /var/log/nginx/access.log',
}

export function validationErrorIn(path: string, value: unknown): string | null {
  return RULES[path]?.(value) ?? null
}

function each(rule: (value: string) => string | null): (values: unknown) => string | null {
  // Only lists of texts have such a rule, and the schema has checked that this is one.
  return values => (values as string[]).map(rule).find(validationError => validationError !== null) ?? null
}

export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

function isOrigin(value: unknown): boolean {
  return value === null || (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value)
}

function isRange(text: string): boolean {
  try {
    rangeOf(text)
    return true
  } catch {
    return false
  }
}

function endpointAddress(value: unknown): string | null {
  return value === null || baseAddressOf(String(value)) !== null
    ? null
    : 'an address without user or fragment is needed'
}

function baseAddress(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !URL.canParse(value)) return 'not an address'
  const { username, password, search, hash } = new URL(value)
  return username + password + search + hash === '' ? null : 'an address without user, query or fragment is needed'
}

function furtherModels(value: unknown): string | null {
  const codes = (value as FurtherModel[]).map(({ code }) => code) // has passed its schema
  const twice = codes.find((code, at) => codes.indexOf(code) !== at)
  if (twice !== undefined) return `${twice}: named twice`
  const builtIn = codes.find(code => (MODEL_CODES.openai_api as readonly string[]).includes(code))
  return builtIn === undefined ? null : `${builtIn}: is a built-in code; name its model in model_code_mapping`
}
