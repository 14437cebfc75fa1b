import { SOURCES } from '#contract/models.ts'
import { PAGE_SIZES } from '#contract/paging.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { USER_EXPIRIES, USER_STATES } from '#contract/userAdministration.ts'
import type { Refusal } from '#server/foundation/refusal.ts'

const WORDS: Partial<Record<RefusalKey, string>> = {
  userNotExist: 'There is nobody of that name.',
  userAlreadyExists: 'Somebody has that name already.',
  emailTaken: 'Another account has that e-mail address.',
  lastSuperuser: 'The last active administrator stays one.',
  upstreamNotFound: 'There is no account of that id: npm run commons -- call listUpstreams shows them.',
  upstreamIsFirst: 'The first account of a source is the one in the settings: it is changed there, and stays.',
  notSupportedBySource: 'That cannot be done with an account of this source.',
}

const NO_USERNAME = 'A user name has up to 32 letters, digits and _ . @ -, and begins with a letter or digit.'

/** Words for validation errors of our own schemas, by their type. */
const VALIDATION_ERRORS: Record<string, string> = {
  invalidPassword: 'A password has 7 to 128 letters, digits or symbols, and no spaces.',
  commonPassword: 'That password is one that everybody tries first.',
  invalidUsername: NO_USERNAME,
  invalidEmail: 'That is no e-mail address.',
}

/** Words by field, for schemas that only have a pattern. */
const FIELDS: Record<string, string> = {
  username: NO_USERNAME,
  nickname: 'A nickname has up to 64 characters, and no line breaks.',
}

const COUNT = 'is a whole number, or -1 for no limit'
const YES_OR_NO = 'is true or false'

/** What a field accepts, by its name or that of its parent, where the schema's own words would not help. */
const TAKES: Record<string, string> = {
  openai_web: 'is made of the limits that change, such as {"total_ask_count": 100}',
  openai_api: 'is made of the limits that change, such as {"total_ask_count": 100}',
  credits: 'is a number',
  valid_until: 'is a date such as "2026-12-31", a time such as "2026-12-31T18:00", or null for ever',
  max_conv_count: COUNT,
  total_ask_count: COUNT,
  per_model_ask_count: 'is made of a count for each model, such as {"gpt_4": 20}; -1 is no limit',
  rate_limits: 'is a list of at most 20, such as [{"window_seconds": 10800, "max_requests": 20}]',
  window_seconds: 'is a whole number of seconds, from 1 to 31622400',
  max_requests: 'is a whole number, from 0 to 1000000',
  daily_available_time_slots: 'is a list of at most 48, such as [{"start_time": "09:00", "end_time": "24:00"}]',
  start_time: 'is a time of day such as "09:00"',
  end_time: 'is a time of day such as "18:30", or "24:00" for the end of the day',
  available_models: 'is a list of model codes, such as ["gpt_3_5", "gpt_4"]',
  custom_openai_api_settings:
    'is made of an address and a key, such as {"url": "https://example.org/v1/", "key": null}',
  allow_to_use: YES_OR_NO,
  disable_uploading: YES_OR_NO,
  use_team: YES_OR_NO,
  allow_custom_openai_api: YES_OR_NO,
  is_active: YES_OR_NO,
  is_superuser: YES_OR_NO,
  is_verified: YES_OR_NO,
  email: 'is an e-mail address of at most 254 characters',
  remark: 'is a text of at most 256 characters, or null',
  avatar: 'is the address of a picture, or null',
  page: 'is the number of a page, from 1',
  size: `is ${anyOf(PAGE_SIZES)}`,
  state: `is ${anyOf(USER_STATES)}`,
  role: 'is user or superuser',
  allowed: `is ${anyOf(SOURCES)}`,
  expiry: `is ${anyOf(USER_EXPIRIES)}`,
}

const AT_A_FIELD: Record<string, string> = {
  unknownField: 'there is no such field',
  unstorable: 'holds a character that cannot be kept',
}

/**
 * The English text of a refusal on the command line; the operator's documentation is English as well. `example` is what
 * the command takes.
 */
export function wordsOf({ key, detail }: Refusal, example?: string): string {
  const errors = (detail ?? []).map(({ loc, msg }) => {
    const path = loc.slice(1).map(String)
    const field = path.join('.')
    if (field === '') return VALIDATION_ERRORS[msg] ?? notFields(msg, example)
    return (
      VALIDATION_ERRORS[msg] ??
      (AT_A_FIELD[msg] === undefined ? FIELDS[field] : undefined) ??
      `${field}: ${AT_A_FIELD[msg] ?? takes(path) ?? msg}`
    )
  })
  return errors.length > 0 ? errors.join('\n') : (WORDS[key] ?? `Refused: ${key}`)
}

/** Of the JSON as a whole. */
function notFields(msg: string, example?: string): string {
  const problem = msg === 'Not JSON' ? 'The changes are not JSON' : 'The changes are fields with their values in JSON'
  return example === undefined ? `${problem}.` : `${problem}, such as ${example}.`
}

function anyOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function takes(path: readonly string[]): string | undefined {
  return path
    .toReversed()
    .map(name => TAKES[name])
    .find(words => words !== undefined)
}
