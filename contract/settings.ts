import * as z from 'zod/mini'
import { storable } from './envelope.ts'

/** Describes a setting besides its schema. The admin form and docs/configuration.md are generated from it. */
export type SettingMeta = {
  /** For who writes the file or the environment, beyond the help that the page has (web/i18n). */
  note?: string
  unit?: 'seconds' | 'hours' | 'days' | 'bytes' | 'asks' | 'characters' | 'messages' | 'bits' | 'pixels' | 'files'
  /** Never sent back: blank means unchanged, null clears. */
  secret?: true
  /** Takes effect at the next start. */
  restart?: true
  /** Set by file or environment only, never in an administrator's form. */
  startOnly?: true
  /** A short environment variable besides the derived one. */
  environment?: string
}

/** Declares a setting: its schema, its default and its description. */
export function setting<S extends z.ZodMiniType>(schema: S, fallback: z.output<S>, meta: SettingMeta = {}) {
  // A default is an output of the schema, which the type of _default does not express.
  const kept = schema.check(z.meta(meta as Record<string, unknown>)) as S
  return z._default(kept, fallback as never)
}

export const seconds = z.int().check(z.minimum(1), z.maximum(315_360_000))
/** Longest wait for something, at most a week. */
export const timeout = z.int().check(z.minimum(1), z.maximum(604_800))
export const address = z.nullable(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(2000),
      z.regex(/^https?:\/\/[^\s]+$/, 'not an address such as https://example.org/v1/'),
    ),
)
export const secretText = z.nullable(z.string().check(z.maxLength(4096), storable))
/** White space, line ends and what cannot be seen, at either end. */
const KEY_PADDING = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu
const BEFORE_KEY = /^(?:authorization\s*:\s*)?bearer\s+/i
const QUOTED = /^(["'“‘`])(.*)["'”’`]$/s
const MAX_KEY = 4096

/**
 * A key as it was meant, of one that was pasted with what stands around it in a mail, a file of variables or an
 * example.
 */
function plainKey(given: string): string {
  // It is refused. Hostile white space would take time that grows with its square.
  if (given.length > MAX_KEY) return given
  const key = given.replace(KEY_PADDING, '')
  return (QUOTED.exec(key)?.[2] ?? key).replace(BEFORE_KEY, '')
}

/** Text that is sent in a header. A character that a header cannot contain would fail every ask. */
export const keyText = z.nullable(
  z
    .string()
    .check(
      z.maxLength(MAX_KEY),
      z.overwrite(plainKey),
      z.regex(/^[\x21-\x7e]*$/, 'a key is made of letters, digits and symbols of ASCII, without spaces'),
    ),
)
/**
 * The credentials beside the settings; apart from their calls, since the first load names those that cannot be opened.
 */
export const CredentialName = z.enum(['openai_web_access_token', 'openai_api_key'])
export type CredentialName = z.infer<typeof CredentialName>
/** RFC 9110, section 5.6.2. */
export const headerName = z.nullable(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(64),
      z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/, 'not the name of a header, such as api-key'),
    ),
)
/** Bounds a mapping, whose JSON would otherwise be bounded by the size of a request alone. */
export const atMost = (entries: number) =>
  z.refine<Record<string, unknown>>(
    mapping => Object.keys(mapping).length <= entries,
    `has more than ${entries} entries`,
  )
/** How many asks one account or key answers at once. */
export const concurrency = z.int().check(z.minimum(1), z.maximum(10_000))
/** Messages that an account itself allows in a window; null where that is not known. */
export const sharedLimit = z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000)))

const MAX_ADDRESS_LENGTH = 2_000
/**
 * People also paste the address of a request; this end is removed. `models` alone may be the base of an endpoint
 * (Azure).
 */
const REQUEST_PATH = /\/+chat\/+completions\/*$|(?<=\/v\d\w*)\/+(?:models|completions|responses|embeddings)\/*$/i

/**
 * Parses what a person typed as the base address of an endpoint; null if no request can go there. A query may be part
 * of it (Azure's `?api-version=`).
 */
export function baseAddressOf(text: string): URL | null {
  const url = text.length > MAX_ADDRESS_LENGTH ? null : URL.parse(text.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  return url.username + url.password + url.hash === '' ? url : null
}

type RequestPath = 'chat/completions' | 'responses' | 'messages' | 'models' | 'embeddings'

/**
 * The address of a request to an endpoint, for the portal's own, people's own and `doctor` alike. Slashes and spaces at
 * the end are ignored, and the path of a request too; an address without a path means `/v1`; a query stays behind the
 * path.
 */
export function requestAddress(base: string, path: RequestPath): string {
  const url = new URL(base.trim())
  const isRequest = REQUEST_PATH.test(url.pathname)
  const folder = url.pathname.replace(REQUEST_PATH, '').replace(/\/+$/, '')
  url.pathname = `${folder === '' && !isRequest ? '/v1' : folder}/${path}`
  url.hash = ''
  return url.href
}
