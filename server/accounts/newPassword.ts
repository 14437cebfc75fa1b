import { Password } from '#contract/accountFields.ts'
import { invalid } from '#server/foundation/refusal.ts'
import { isCommonPassword } from './commonPasswords.ts'

/** Refuses a password that everybody would guess first. Its length and letters the contract has seen to. */
export function requireUncommon(password: string, username: string): void {
  if (isCommonPassword(password, username)) throw invalid(['body', 'password'], 'commonPassword', 'common_password')
}

/** For a password that did not come through a call. */
export function requirePassword(password: string, username: string): void {
  if (!Password.safeParse(password).success) throw invalid(['body', 'password'], 'invalidPassword')
  requireUncommon(password, username)
}
