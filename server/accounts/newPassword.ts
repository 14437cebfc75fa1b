import { Password } from '#contract/accounts.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { isCommonPassword } from './commonPasswords.ts'

/** Refuses a common password. The contract has checked its length and characters. */
export function requireUncommon(password: string, username: string): void {
  if (isCommonPassword(password, username)) throw invalid(['body', 'password'], 'commonPassword', 'common_password')
}

/** Checks a password that did not come through a call, and returns it without the end of the line. */
export function requirePassword(given: string, username: string): string {
  const { success, data: password } = Password.safeParse(given)
  if (!success) throw invalid(['body', 'password'], 'invalidPassword')
  requireUncommon(password, username)
  return password
}
