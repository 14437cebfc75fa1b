import * as z from 'zod/mini'

/** The access token of a web account, read from what people paste: the site shows it within the JSON of a session. */

/** Characters of what is pasted: a session has a token, names and pictures. */
export const MAX_PASTE = 65_536
/** Characters of a token. */
const MAX_TOKEN = 8192

/** Why something is not taken as a token, in words for those who use the API; the page has texts of its own. */
export const WEB_TOKEN_PROBLEMS = {
  several: 'there is more than one token; enter one',
  apiKey: 'this is an API key; a web account is asked with an access token',
  cookie: 'this is a cookie or a session token; a web account is asked with the access token of the session',
  signedOut: 'this has no access token in it; sign in at the site and copy the session again',
  other: 'a token is one word of letters, digits and symbols of ASCII',
} as const
export type WebTokenProblem = keyof typeof WEB_TOKEN_PROBLEMS

type ReadToken = { token: string } | { problem: WebTokenProblem }

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff\0]/g
/** Within quotes, which may be escaped or those of HTML; else up to what ends a word of JSON or of variables. */
const NAMED =
  /access_?token(?:\\?["'“”]|&quot;)?\s*[:=]\s*(?:(?:\\?["'“”]|&quot;)([^"'“”\\&]*)|(?!null\b)([^\s"'“”,;}\\&]+))/gi
const BEARER = /\bbearer\s+([\w.~+/=-]+)/gi
const COOKIE = /(?:^|[\s;"'])(?:set-)?cookie\s*:|__(?:secure|host)-|session[-_]?token|cf_clearance=|_puid=|oai-did=/i
const API_KEY = /^(?:(?:sk|rk|pk)[-_]|AIza|gsk_|xai-|hf_|r8_|ghp_|AKIA)/
const WORD = /^[\x21-\x7e]+$/
const BASE64 = /^[\w-]+$/
/** Characters of the signatures that there are: 256 to 512 bits, and those of keys of 2048, 3072 and 4096. */
const SIGNATURES: ReadonlySet<number> = new Set([43, 64, 86, 128, 171, 342, 512, 683])

/** The access token in what was pasted, or why there is none; blank where nothing was. */
export function readWebToken(given: string): ReadToken {
  if (given.length > MAX_PASTE) return { problem: 'other' }
  const text = unquoted(given.replace(INVISIBLE, '').replace(/\\[rnt]/g, '\n'))
  if (text === '') return { token: '' }
  const named = [...text.matchAll(NAMED)].map(([, quoted, bare]) => joined(quoted ?? bare ?? ''))
  if (named.length > 0) return oneOf(named.filter(token => token !== '')) ?? { problem: 'signedOut' }
  const bare = text.replace(/^(?:-H\s+)?["']?(?:authorization\s*:\s*)?bearer\s+/i, '')
  if (bare === text) {
    const bearer = oneOf([...text.matchAll(BEARER)].map(([, token = '']) => token))
    if (bearer !== null) return bearer
    if (COOKIE.test(text)) return { problem: /^[{[]/.test(text) ? 'signedOut' : 'cookie' }
  }
  return readBare(unquoted(bare))
}

/** A token with nothing that names it: one word, or one that a mail has broken into lines. */
function readBare(text: string): ReadToken {
  const words = text.split(/[\s"'“”[\]{}(),;|<>]+/).filter(word => word !== '')
  const whole = oneOf(words.map(word => word.replace(/^[A-Za-z_]\w*[=:](?=eyJ)/, '')).filter(isJwt))
  const together = words.join('')
  if (whole !== null && 'problem' in whole) return whole
  if (words.length === 1) return checked(whole !== null && 'token' in whole ? whole.token : text)
  if (words.every(word => BASE64.test(word.replaceAll('.', ''))) && isJwt(together)) {
    // The break may be in its signature: then what stands alone looks whole, too.
    if (whole === null || SIGNATURES.has((together.split('.')[2] ?? '').length)) return checked(together)
  }
  if (whole !== null) return whole
  if (/^[{[]/.test(text)) return { problem: 'signedOut' }
  return { problem: words.every(word => word.length > 15) ? 'several' : 'other' }
}

function checked(token: string): ReadToken {
  if (API_KEY.test(token)) return { problem: 'apiKey' }
  const parts = token.split('.')
  if (token.startsWith('eyJ') && parts.length > 3)
    // A session's own token is encrypted, in five parts; two tokens that lost the line between them have as many.
    return { problem: parts.length === 5 && !isJwt(parts.slice(0, 3).join('.')) ? 'cookie' : 'several' }
  return WORD.test(token) && token.length <= MAX_TOKEN ? { token } : { problem: 'other' }
}

/** The only one of these tokens; null without any. */
function oneOf(tokens: readonly string[]): ReadToken | null {
  const [first, ...others] = new Set(tokens)
  if (first === undefined) return null
  return others.length > 0 ? { problem: 'several' } : checked(first)
}

const joined = (text: string): string => text.replace(/\s+/g, '')

const QUOTED = /^(["'“‘`])([^]*)["'”’`]$/

/** Without the quotes around it, and without what follows the entry of a list. */
function unquoted(given: string): string {
  const text = given.trim().replace(/[,;]$/, '')
  return (QUOTED.exec(text)?.[2] ?? text).trim()
}

/** What a JSON web token says; nothing of it is verified. Null for anything else. */
export function claimsIn(token: string): Record<string, unknown> | null {
  const [header = '', payload = '', ...rest] = token.split('.')
  return rest.length === 1 && 'alg' in (objectIn(header) ?? {}) ? objectIn(payload) : null
}

function isJwt(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.every(part => BASE64.test(part)) && claimsIn(token) !== null
}

function objectIn(base64url: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), c => c.codePointAt(0) ?? 0)
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null // of an object
  } catch {
    return null
  }
}

/** Whose token it is, as far as it says: the account that is asked, and its person. */
export const TokenAccount = z.object({
  account_id: z.nullable(z.string()),
  user_id: z.nullable(z.string()),
  /** How the person signs in: another word for the same person where the others are not there. */
  subject: z.nullable(z.string()),
})
export type TokenAccount = z.infer<typeof TokenAccount>

const MAX_ID = 200

/** Null for a token that does not say whose it is. */
export function accountOfToken(token: string | null): TokenAccount | null {
  const claims = token === null || token.length > MAX_PASTE ? null : claimsIn(token)
  if (claims === null) return null
  // Claims of an issuer stand below its address, or in the names themselves.
  const nested = Object.entries(claims).flatMap(([name, value]) =>
    name.endsWith('/auth') && typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [],
  )
  const all = [...nested, claims]
  const first = (...names: string[]): string | null =>
    all.flatMap(each => names.map(name => each[name])).find(isId) ?? null
  const account = {
    account_id: first('chatgpt_account_id', 'account_id', 'workspace_id'),
    user_id: first('chatgpt_user_id', 'user_id', 'uid'),
    subject: first('sub'),
  }
  return Object.values(account).every(id => id === null) ? null : account
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_ID

/**
 * Whether two tokens are of different accounts, by the surest of what both say; false where they cannot be compared.
 */
export function isOtherAccount(one: TokenAccount | null, other: TokenAccount | null): boolean {
  if (one === null || other === null) return false
  const compared = (['account_id', 'user_id'] as const).filter(name => one[name] !== null && other[name] !== null)
  if (compared.length > 0) return compared.some(name => one[name] !== other[name])
  return one.subject !== null && other.subject !== null && one.subject !== other.subject
}

/** The access token of a web account, taken from what was pasted. */
export const webTokenText = z.nullable(
  z.string().check(
    z.maxLength(MAX_PASTE),
    z.check<string>(payload => {
      const read = readWebToken(payload.value)
      if ('token' in read) payload.value = read.token
      else payload.issues.push({ code: 'custom', input: payload.value, message: WEB_TOKEN_PROBLEMS[read.problem] })
    }),
  ),
)
