/** What an upstream calls an error: of the one who answers, and of somebody behind it, whose error it passes on. */
export type ErrorCodes = { code?: string; type?: string; inner_code?: string; inner_type?: string }

/** Numbers that say by themselves what is wrong, in words; what stands beside them may be in any language. */
const WORDS_OF_NUMBER: Readonly<Record<string, string>> = {
  // Zhipu
  '1110': 'account deactivated',
  '1112': 'account locked',
  '1113': 'insufficient balance',
  '1121': 'account locked',
  '1211': 'model not found',
  '1261': 'prompt is too long',
  '1301': 'sensitive content',
  '1302': 'concurrency',
  '1303': 'rate limit per minute',
  '1304': 'rate limit per day',
}
/** The same within the answers of MiniMax. */
const WORDS_OF_BASE: Readonly<Record<string, string>> = {
  '1002': 'rate limit per minute',
  '1004': 'authentication failed',
  '1008': 'insufficient balance',
  '1026': 'sensitive content',
  '1027': 'sensitive content',
  '1039': 'tokens per minute',
  '2049': 'invalid api key',
}

/** `isOfBase`: they stand in a `base_resp`. */
export function wordsOfCode({ code, inner_code }: ErrorCodes, isOfBase: boolean): string {
  const words = isOfBase ? WORDS_OF_BASE : WORDS_OF_NUMBER
  return [code, inner_code]
    .map(each => (each === undefined ? '' : (words[each] ?? '')))
    .join(' ')
    .trim()
}

/**
 * What providers call errors, by the status that they go with where they come as an answer of their own. Letters and
 * numbers alone.
 */
const BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: [
    'invalidrequesterror',
    'invalidargument',
    'badrequest',
    'badrequesterror',
    'invalidparameter',
    'failedprecondition',
  ],
  401: [
    'authenticationerror',
    'unauthenticated',
    'unauthorized',
    'invalidapikey',
    'tokenexpired',
    'invalidauthenticationerror',
  ],
  403: ['permissionerror', 'permissiondenied', 'forbidden', 'permissiondeniederror'],
  404: ['notfounderror', 'notfound', 'resourcenotfounderror'],
  413: ['requesttoolarge'],
  429: [
    'ratelimiterror',
    'ratelimitexceeded',
    'ratelimitreachederror',
    'ratelimit',
    'ratelimited',
    'resourceexhausted',
    'throttling',
    'throttlingratequota',
    'throttlingexception',
    'toomanyrequests',
    'requestlimitexceeded',
    'modelcapexceeded',
  ],
  500: ['apierror', 'servererror', 'internalerror', 'internalservererror', 'internal'],
  503: [
    'unavailable',
    'serviceunavailable',
    'overloaded',
    'overloadederror',
    'engineoverloadederror',
    'serviceunavailableerror',
  ],
  504: ['timeouterror', 'deadlineexceeded', 'gatewaytimeout'],
}
const STATUS_OF = new Map(
  Object.entries(BY_STATUS).flatMap(([status, names]) => names.map(name => [name, Number(status)] as const)),
)

/** The status that an error goes with by what it is called; null where that says nothing. */
export function statusOfCodes({ code, type, inner_code, inner_type }: ErrorCodes): number | null {
  for (const name of [inner_code, code, inner_type, type]) {
    const status = name === undefined ? undefined : STATUS_OF.get(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
    if (status !== undefined) return status
  }
  return null
}
