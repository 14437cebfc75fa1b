import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { signInAttempts } from './signIn.ts'

const MINUTE = 60_000
const anna = { account: 'anna', address: '192.0.2.1' }

describe('attempts to sign in', () => {
  eachDatabase((_, open) => {
    async function attempts() {
      const clock = { time: 1_700_000_000_000, now: () => clock.time, monotonic: () => clock.time }
      const { database } = await open()
      const counted = signInAttempts({ database, clock })
      const failTimes = async (times: number, attempt = anna) => {
        for (let count = 0; count < times; count++) await counted.fail(attempt)
      }
      return { ...counted, failTimes, clock, database }
    }

    test('may fail nine times without waiting, and not ten times', async () => {
      const { failTimes, wait } = await attempts()
      await failTimes(9)
      expect(await wait(anna)).toBe(null)
      await failTimes(1)
      expect(await wait(anna)).toBe(15 * 60)
    })
    test('are looked at again when the first of ten is a quarter of an hour ago', async () => {
      const { failTimes, wait, clock } = await attempts()
      await failTimes(1)
      clock.time += 5 * MINUTE
      await failTimes(9)
      expect(await wait(anna)).toBe(10 * 60)
      clock.time += 10 * MINUTE
      expect(await wait(anna)).toBe(null)
      await failTimes(1)
      expect(await wait(anna)).toBe(5 * 60)
    })
    test('are looked at again within the half hour after the clock was set back', async () => {
      const { failTimes, wait, clock } = await attempts()
      await failTimes(10)
      clock.time -= 5 * MINUTE
      expect(await wait(anna)).toBe(20 * 60)
      clock.time -= 10 * MINUTE
      expect(await wait(anna)).toBe(null)
    })
    test('from elsewhere are still looked at, and those of others from here', async () => {
      const { failTimes, wait } = await attempts()
      await failTimes(10)
      expect(await wait({ ...anna, address: '192.0.2.2' })).toBe(null)
      expect(await wait({ ...anna, account: 'bertha' })).toBe(null)
    })
    test('are of one account however its name is written', async () => {
      const { failTimes, wait } = await attempts()
      await failTimes(5)
      await failTimes(5, { ...anna, account: ' ＡNNA ' })
      expect(await wait(anna)).not.toBe(null)
    })
    test('of a hundred accounts are too many from one address', async () => {
      const { fail, wait } = await attempts()
      for (let number = 0; number < 99; number++) await fail({ ...anna, account: `account ${number}` })
      expect(await wait(anna)).toBe(null)
      await fail({ ...anna, account: 'one more' })
      expect(await wait(anna)).toBe(15 * 60)
    })
    test('are of one address that is a /64 of IPv6', async () => {
      const { failTimes, wait } = await attempts()
      await failTimes(10, { ...anna, address: '2001:db8:1:2::1' })
      expect(await wait({ ...anna, address: '2001:db8:1:2:ffff::9' })).not.toBe(null)
      expect(await wait({ ...anna, address: '2001:db8:1:3::1' })).toBe(null)
    })
    test('that failed are forgotten after a right one', async () => {
      const { failTimes, forget, wait } = await attempts()
      await failTimes(10)
      await forget(anna)
      expect(await wait(anna)).toBe(null)
    })
    test('are stored without the name that was typed, and no longer than they count', async () => {
      const { failTimes, clock, database } = await attempts()
      await failTimes(3, { ...anna, account: 'my password, in the wrong field' })
      const stored = await database.selectFrom('sign_in_attempts').selectAll().execute()
      expect(JSON.stringify(stored)).not.toMatch(/password|192\.0/)
      clock.time += 15 * MINUTE
      await failTimes(1)
      expect(await database.selectFrom('sign_in_attempts').selectAll().execute()).toHaveLength(2)
    })
  })
})
