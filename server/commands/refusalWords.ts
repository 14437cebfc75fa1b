import type { RefusalKey } from '#contract/refusals.ts'
import type { Refusal } from '#server/foundation/refusal.ts'

const WORDS: Partial<Record<RefusalKey, string>> = {
  userNotExist: 'There is nobody of that name.',
  userAlreadyExists: 'Somebody has that name already.',
  lastSuperuser: 'The last active administrator stays one.',
}

const MISTAKES: Record<string, string> = {
  invalidPassword: 'A password has 7 to 128 letters, digits or symbols, and no spaces.',
  commonPassword: 'That password is one that everybody tries first.',
  invalidUsername: 'A user name has up to 32 letters, digits and _ . @ -, and begins with a letter or digit.',
}

/** On the command line a refusal is told in English: whoever runs a portal reads its documentation in it, too. */
export function wordsOf({ key, detail }: Refusal): string {
  const mistakes = (detail ?? []).map(({ loc, msg }) => MISTAKES[msg] ?? `${loc.slice(1).join('.')}: ${msg}`)
  return mistakes.length > 0 ? mistakes.join('\n') : WORDS[key] ?? `Refused: ${key}`
}
