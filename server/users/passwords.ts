import { argon2, type Argon2Parameters, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { MAX_PASSWORD_LENGTH, Password } from '#contract/users.ts'
import { Refusal, invalid } from '#server/foundation/refusal.ts'

/** Memory in KiB. About 110 ms on the machine it was chosen on; security asks for less than 300. */
export type PasswordCost = { memory: number; passes: number; parallelism: number }
export const PASSWORD_COST: PasswordCost = { memory: 47_104, passes: 2, parallelism: 1 }

const SALT_BYTES = 16
const TAG_BYTES = 32
const MAX_PASSWORD_BYTES = 512

/** Never all four threads of Node's pool, which also reads files, and no more than there are CPUs. */
const AT_ONCE = Math.min(3, availableParallelism())
const MAX_WAITING = 500

type Derive = (parameters: Argon2Parameters) => Promise<Buffer>

export type Checked = {
  right: boolean
  /** It was hashed with weaker parameters than today's, and should be hashed again. */
  weak: boolean
}

export type Hasher = {
  hash(password: string): Promise<string>
  /**
   * Costs the same when there is no such account (`stored` is null), so that nobody learns from the time which names
   * exist.
   */
  check(password: string, stored: string | null): Promise<Checked>
}

export type Passwords = Hasher & {
  /** Runs work that contains hashing under the same concurrency limit as hashing. */
  limited<T>(work: (hasher: Hasher) => Promise<T>): Promise<T>
}

const argon2id: Derive = parameters => promisify(argon2)('argon2id', parameters)

export function passwordHashing(options: { cost?: PasswordCost; derive?: Derive } = {}): Passwords {
  const { cost = PASSWORD_COST, derive = argon2id } = options
  const nobody: Phc = { ...cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }
  const limit = concurrencyLimit(AT_ONCE, MAX_WAITING)
  const tagOf = (password: string, phc: Phc) =>
    derive({
      message: password.normalize('NFC'),
      nonce: phc.salt,
      parallelism: phc.parallelism,
      tagLength: phc.tag.length,
      memory: phc.memory,
      passes: phc.passes,
    })

  const hasher: Hasher = {
    async hash(password) {
      const made: Phc = { ...cost, salt: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) }
      return phcText({ ...made, tag: await tagOf(password, made) })
    },
    async check(password, stored) {
      const known = stored === null ? null : readPhc(stored)
      const bounded = isHashable(password)
      const tag = await tagOf(bounded ? password : '', known ?? nobody)
      const right = bounded && known !== null && timingSafeEqual(tag, known.tag)
      return { right, weak: right && isWeaker(known, cost) }
    },
  }
  return {
    hash: password => limit.run(() => hasher.hash(password)),
    check: (password, stored) => limit.run(() => hasher.check(password, stored)),
    limited: work => limit.run(() => work(hasher)),
  }
}

/** Letters and digits that cannot be taken for each other when read aloud or copied by hand. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 20 characters: more than 115 random bits. */
export function generatedPassword(): string {
  return Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Checked before hashing, so that the server never hashes a very long text. */
function isHashable(password: string): boolean {
  if (password.length > MAX_PASSWORD_BYTES) return false
  const normal = password.normalize('NFC')
  return normal.length <= MAX_PASSWORD_LENGTH && Buffer.byteLength(normal) <= MAX_PASSWORD_BYTES
}

type Phc = PasswordCost & { salt: Buffer; tag: Buffer }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function readPhc(text: string): Phc | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? []
  if (salt === undefined || tag === undefined) return null
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function phcText({ memory, passes, parallelism, salt, tag }: Phc): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function isWeaker(stored: Phc, cost: PasswordCost): boolean {
  return stored.memory < cost.memory || stored.passes < cost.passes || stored.tag.length < TAG_BYTES
}

type ConcurrencyLimit = {
  /** Runs the work as soon as fewer than `at_once` run; refuses at once when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** At most `at_once` run together, the others wait in the order in which they came. */
export function concurrencyLimit(at_once: number, most_waiting: number): ConcurrencyLimit {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running < at_once) {
        running += 1
      } else {
        if (waiting.length >= most_waiting) throw new Refusal('tooManyRequests', { retry_after_seconds: 30 })
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.push(resolve)
        await promise // whoever finishes starts the next one, so `running` does not change
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}

/** One at a time for each key; different keys do not wait for each other. */
export function oneAtATimeByKey(most_waiting: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { limit: ConcurrencyLimit; users: number }>()
  return async (key, work) => {
    const entry = known.get(key) ?? { limit: concurrencyLimit(1, most_waiting), users: 0 }
    known.set(key, entry)
    entry.users += 1
    try {
      return await entry.limit.run(work)
    } finally {
      entry.users -= 1
      if (entry.users === 0) known.delete(key)
    }
  }
}

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
