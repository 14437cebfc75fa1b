/** Characters of a key given by hand. */
export const SHORTEST_KEY = 32
/** Fewer different ones come from a finger that stays on its key. */
const LEAST_VARIETY = 8
/** Characters that must be left of a key when the words of examples are taken out of it. */
const LEAST_OWN = 12

/** Of what stands in examples, manuals and templates in place of a key, longer ones first where one begins another. */
const WORDS = `
  placeholder characters development application changethis changeit changeme production supersecret character generated minimum
  password required something insecure openssl generate session replace example default testing private commons secrets random
  string secret change please sample insert should unsafe secure strong portal phrase least bytes value token enter dummy chars
  admin super never share under using build local empty debug base64 quite test your here with long this that must else file
  chat some rand safe real pass salt hash user todo fixme name make more from very demo prod into like only key not and
  the put set use for new now own app api dev env hex jwt min xxx foo bar baz qux you can abc qwe asd me my to do in is it
  of or at be as an on
`
  .trim()
  .split(/\s+/)
const EXAMPLES = new RegExp(WORDS.join('|'), 'g')
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** What is wrong with a key that somebody gave, in words; null for one that may be random. Lengths alone say little: most weak keys are long. */
export function weaknessOf(key: string): string | null {
  if (key.length < SHORTEST_KEY) return `shorter than ${SHORTEST_KEY} characters`
  const plain = key.toLowerCase()
  if (new Set(plain).size < LEAST_VARIETY || repeats(plain)) return 'the same characters over and over'
  if (shareOfSteps(plain, 1) > 0.6 || shareOfSteps(plain, 2) > 0.6 || isCounted(key))
    return 'characters in a row of the alphabet or the keyboard'
  const own = plain
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(EXAMPLES, '')
    .replaceAll(/(.)\1{2,}|(?:0?123456789|012345678|12345678|1234567|123456|12345|1234|123)0?/gu, '')
  return own.length < LEAST_OWN ? 'a placeholder' : null
}

/** Whether it is one short text, written several times. */
function repeats(text: string): boolean {
  return Array.from({ length: Math.floor(text.length / 2) }, (_, at) => at + 1).some(period =>
    text.startsWith(text.slice(period)),
  )
}

/** Bytes that each are as much more than the one before, as in examples of keys: in base64 nobody sees it. */
function isCounted(key: string): boolean {
  const bytes = Buffer.from(key, 'base64')
  const steps = Array.from(bytes.subarray(1), (byte, at) => (byte - (bytes[at] ?? 0)) & 0xff)
  return steps.filter(step => step === steps[0]).length > steps.length / 2
}

/**
 * Of the pairs at that distance (at 2, `a1b2c3` is a row too), how many are neighbours in the alphabet, among the digits or on a keyboard, in
 * either direction, or alike.
 */
function shareOfSteps(text: string, distance: number): number {
  let steps = 0
  for (let at = distance; at < text.length; at++) {
    const [one, next] = [text[at - distance] ?? '', text[at] ?? '']
    if (one === next || ROWS.some(row => row.includes(one + next) || row.includes(next + one))) steps++
  }
  return steps / (text.length - distance)
}
