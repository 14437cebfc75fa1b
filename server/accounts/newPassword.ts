import { Password } from '#contract/accountFields.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { isCommonPassword } from './commonPasswords.ts'

/** Refuses a password that everybody would guess first. Its length and letters the contract has seen to. */
export function requireUncommon(password: string, username: string): void {
  if (isCommonPassword(password, username)) throw invalid(['body', 'password'], 'commonPassword', 'common_password')
}

/** For a password that did not come through a call. Gives it without the end of a line. */
export function requirePassword(given: string, username: string): string {
  const { success, data: password } = Password.safeParse(given)
  if (!success) throw invalid(['body', 'password'], 'invalidPassword')
  requireUncommon(password, username)
  return password
}
