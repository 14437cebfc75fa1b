/**
 * What is tried first by everybody who guesses, from public lists of the commonest passwords; only what the rules of
 * length would let through. Compared without case.
 */
const COMMON = new Set(`
  12345678 123456789 1234567890 0123456789 0987654321 87654321 987654321 11111111 111111111 00000000 88888888 12341234
  12344321 11223344 1122334455 123123123 147258369 123456123 66666666 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc zaq12wsx
  qwertyuiop qwerty123 qwertyui asdfghjkl asdfasdf zxcvbnm1 password password1 passw0rd p@ssw0rd p@ssword iloveyou
  iloveyou1 princess sunshine football baseball superman starwars computer trustno1 changeme letmein1 welcome1
  administrator admin123 a1234567 a12345678 a123456789 aa123456 aa12345678 abcd1234 abc12345 woaini1314 5201314520
`.trim().split(/\s+/))

export function isCommonPassword(password: string, username: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  return COMMON.has(plain) || plain === username.normalize('NFKC').toLowerCase()
}
