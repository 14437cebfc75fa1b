import type { RefusalKey } from '#contract/refusals.ts'
import type { Refusal } from '#server/foundation/refusal.ts'

const WORDS: Partial<Record<RefusalKey, string>> = {
  userNotExist: 'There is nobody of that name.',
  userAlreadyExists: 'Somebody has that name already.',
  lastSuperuser: 'The last active administrator stays one.',
}

const NO_USERNAME = 'A user name has up to 32 letters, digits and _ . @ -, and begins with a letter or digit.'

/** By what is wrong, as our own schemas name it. */
const MISTAKES: Record<string, string> = {
  invalidPassword: 'A password has 7 to 128 letters, digits or symbols, and no spaces.',
  commonPassword: 'That password is one that everybody tries first.',
  invalidUsername: NO_USERNAME,
  invalidEmail: 'That is no e-mail address.',
  'Not JSON': 'The changes are not JSON, such as {"is_active": false}.',
}

/** By the field, where a schema tells of its pattern only. */
const FIELDS: Record<string, string> = {
  username: NO_USERNAME,
  nickname: 'A nickname has up to 64 characters, and no line breaks.',
}

const AT_A_FIELD: Record<string, string> = {
  unknownField: 'there is no such field',
  unstorable: 'holds a character that cannot be kept',
}

/** On the command line a refusal is told in English: whoever runs a portal reads its documentation in it, too. */
export function wordsOf({ key, detail }: Refusal): string {
  const mistakes = (detail ?? []).map(({ loc, msg }) => {
    const field = loc.slice(1).join('.')
    return MISTAKES[msg] ?? (AT_A_FIELD[msg] === undefined ? FIELDS[field] : undefined) ?? `${field === '' ? '' : `${field}: `}${AT_A_FIELD[msg] ?? msg}`
  })
  return mistakes.length > 0 ? mistakes.join('\n') : WORDS[key] ?? `Refused: ${key}`
}
