import { argon2Sync, type Argon2Parameters } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/foundation/refusal.ts'
import {
  isCommonPassword,
  generatedPassword,
  PASSWORD_COST,
  passwordHashing,
  concurrencyLimit,
  oneAtATimeByKey,
} from './passwords.ts'

const CHEAP = { memory: 8, passes: 1, parallelism: 1 }

/** Keeps what was hashed, at no cost. */
function counted() {
  const hashed: Argon2Parameters[] = []
  const derive = async (parameters: Argon2Parameters) => {
    hashed.push(parameters)
    return argon2Sync('argon2id', parameters)
  }
  return { hashed, passwords: passwordHashing({ cost: CHEAP, derive }) }
}

describe('a stored password', () => {
  const passwords = passwordHashing({ cost: CHEAP })

  test('is an argon2id hash with its cost, a salt of 16 bytes and a tag of 32', async () => {
    expect(await passwords.hash('a good password')).toMatch(
      /^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
  })
  test('costs what shared accounts deserve, unless a test says otherwise', () => {
    expect(PASSWORD_COST).toEqual({ memory: 47_104, passes: 2, parallelism: 1 })
  })
  test('has a salt of its own', async () => {
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'))
  })
  test('is right for the same password and wrong for another', async () => {
    const stored = await passwords.hash('a good password')
    expect(await passwords.check('a good password', stored)).toEqual({ right: true, weak: false })
    expect(await passwords.check('a good passwork', stored)).toEqual({ right: false, weak: false })
  })
  test('is the same however its letters are composed', async () => {
    const stored = await passwords.hash('cafe\u0301 noir')
    expect((await passwords.check('caf\u00e9 noir', stored)).right).toBe(true)
  })
  test('that was hashed more cheaply is right, and weak', async () => {
    const stored = await passwords.hash('a good password')
    expect(await passwordHashing({ cost: { ...CHEAP, memory: 16 } }).check('a good password', stored)).toEqual({
      right: true,
      weak: true,
    })
  })
  test('in a form that nobody wrote here is wrong', async () => {
    for (const stored of ['', 'a good password', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=8,t=1,p=1$x$y']) {
      expect((await passwords.check('a good password', stored)).right).toBe(false)
    }
  })
})

describe('the work of a check', () => {
  test('is the same without an account', async () => {
    const { hashed, passwords } = counted()
    const stored = await passwords.hash('a good password')
    await passwords.check('a bad password', stored)
    await passwords.check('a bad password', null)
    const [, known, unknown] = hashed
    expect(unknown).toEqual({ ...known, nonce: unknown?.nonce })
  })
  test('is the same for a password too long to be one, which is not hashed itself', async () => {
    const { hashed, passwords } = counted()
    const stored = await passwords.hash('a good password')
    for (const long of ['x'.repeat(129), '漢'.repeat(200), 'x'.repeat(1_000_000)]) {
      expect((await passwords.check(long, stored)).right).toBe(false)
    }
    expect(hashed.slice(1).map(({ message, memory }) => ({ message, memory }))).toEqual(
      Array.from({ length: 3 }, () => ({ message: '', memory: 8 })),
    )
  })
  test('is done for at most three at once', async () => {
    let running = 0
    let most = 0
    const passwords = passwordHashing({
      cost: CHEAP,
      derive: async parameters => {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
        return argon2Sync('argon2id', parameters)
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => passwords.hash('a good password')))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(3)
  })
})

describe('a generated password', () => {
  test('is 20 letters and digits that are not taken for each other', () => {
    expect(generatedPassword()).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{20}$/)
  })
  test('is another one each time', () => {
    expect(new Set(Array.from({ length: 50 }, generatedPassword)).size).toBe(50)
  })
})

describe('a common password', () => {
  test('is one that everybody tries first, in whatever case', () => {
    expect(isCommonPassword('12345678', 'anna')).toBe(true)
    expect(isCommonPassword('PassWord1', 'anna')).toBe(true)
  })
  test.each([
    '1234567',
    '7654321',
    '2345678',
    '4567890',
    '0987654321',
    '1111111',
    '7777777',
    'aaaaaaaa',
    '１２３４５６７',
    '1231231',
    'abcabcabc',
    '12121212',
    '哈哈哈哈哈哈哈',
    'abcdefg',
    'ABCDEFGH',
    'qwertyu',
    'poiuytrewq',
    'asdfghjkl',
    'zxcvbnm',
    'asdf1234',
    '1234qwer',
    '123456abc',
    'qazwsxe',
    'welcome',
    '5201314',
  ])('is %s', password => {
    expect(isCommonPassword(password, 'anna')).toBe(true)
  })
  test.each([
    '1234568x',
    '7294618',
    'correct-horse-7',
    'abcdefx!',
    '一二三四五六八',
    'aaaaaaab',
    '2026-12-31',
    'x'.repeat(128),
  ])('is not %s', password => {
    expect(isCommonPassword(password, 'anna')).toBe(false)
  })
  test('is the user name', () => {
    expect(isCommonPassword('Annabella', 'annabella')).toBe(true)
  })
  test('is not just any word', () => {
    expect(isCommonPassword('correct-horse', 'anna')).toBe(false)
  })
})

describe('work under a limit of concurrency', () => {
  test('runs in the order in which it was asked for', async () => {
    const { run } = concurrencyLimit(1, 10)
    const order: number[] = []
    await Promise.all(
      [1, 2, 3].map(number =>
        run(async () => {
          order.push(number)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3])
  })
  test('goes on after work that failed', async () => {
    const { run } = concurrencyLimit(1, 10)
    await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await run(async () => 'fine')).toBe('fine')
  })
  test('is refused when too much of it waits', async () => {
    const { run } = concurrencyLimit(1, 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const both = [run(() => promise), run(() => promise)]
    await expect(run(() => promise)).rejects.toThrow(Refusal)
    resolve()
    await Promise.all(both)
    expect(await run(async () => 'room again')).toBe('room again')
  })
  test('of different keys does not wait for each other', async () => {
    const run = oneAtATimeByKey(10)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = run('a', () => promise)
    const order: string[] = []
    const second = run('a', async () => {
      order.push('a')
    })
    await run('b', async () => {
      order.push('b')
    })
    resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['b', 'a'])
  })
})
