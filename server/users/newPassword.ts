import { Password } from '#contract/users.ts'
import { invalid } from '#server/foundation/refusal.ts'

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

/**
 * What is tried first by everybody who guesses, from public lists of the commonest passwords; only what the rules of
 * length would let through, and no rows of characters, which are known by themselves. Compared without case.
 */
const COMMON = new Set(
  `
  12344321 11223344 1122334455 147258369 1472583 123456a 123456q a123456 1234qwer qwer1234 123qwer 1q2w3e4 q1w2e3r4
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 qazwsxe qazwsxedc zaq12wsx qwerty1 qwerty12 qwerty123 asdf1234 zxcvbnm1 asd1234
  abc1234 abcd123 abcd1234 abc12345 abc123456 a12345678 aa12345 aa123456 aa12345678 a1234567 a123456789 qwe1234 pass123
  pass1234 passwd1 password password1 password12 password123 passw0rd p@ssw0rd p@ssword iloveyou iloveyou1 iloveu1 loveyou
  princess sunshine football baseball superman starwars computer trustno1 changeme letmein letmein1 welcome welcome1
  welcome123 monkey1 dragon1 master1 shadow1 charlie michael jessica jennifer freedom whatever nothing pokemon arsenal
  chelsea liverpool batman1 hello12 hello123 secret1 secret123 test123 test1234 testing testtest default internet samsung
  administrator admin12 admin123 admin1234 adminadmin root123 guest123 user123 login123 woaini1 woaini123 woaini520
  woaini1314 5201314 5201314520 1314520 7758521 5211314
`
    .trim()
    .split(/\s+/),
)

/** Rows of keys and of the alphabet. Passwords that follow one of them, in either direction, are common. */
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujm',
]
const ALONG_ROWS = ROWS.flatMap(row => [row, [...row].toReversed().join('')])
/** Characters. Longer rows and repetitions are not guessed. */
const MAX_ROW = 24
/** A few characters, over and over. */
const REPEATED = /^(.{1,4}?)\1+(.{0,3})$/su

export function isCommonPassword(password: string, username: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  if (COMMON.has(plain) || plain === username.normalize('NFKC').toLowerCase()) return true
  return plain.length <= MAX_ROW && (isRepeated(plain) || isAlongRows(plain))
}

function isRepeated(password: string): boolean {
  const [, unit, rest = ''] = REPEATED.exec(password) ?? []
  return unit !== undefined && unit.startsWith(rest)
}

/** One run along a row, or two in succession. */
function isAlongRows(password: string): boolean {
  return (
    isStretch(password) ||
    Array.from(password, (_, at) => at).some(
      at => at >= 3 && password.length - at >= 3 && isStretch(password.slice(0, at)) && isStretch(password.slice(at)),
    )
  )
}

const isStretch = (part: string) => ALONG_ROWS.some(row => row.includes(part))
