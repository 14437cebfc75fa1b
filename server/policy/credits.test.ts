import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { storedUser } from '#testing/rows.ts'
import { creditsAsMoney, giveCredits, settingStore } from './store.ts'

eachDatabase((_name, openDatabase) => {
  async function aPerson(credits: number) {
    const { database } = await openDatabase()
    const user_id = await storedUser(database)
    await database.insertInto('user_credits').values({ user_id, credits }).execute()
    return {
      user_id,
      database,
      give: (millionths: number) => giveCredits(database, user_id, millionths),
      money: () => creditsAsMoney(database, user_id),
    }
  }

  describe('credits as money', () => {
    test('are so many of the currency, in millionths', async () => {
      expect(await (await aPerson(0.03)).money()).toBe(30_000)
      expect(await (await aPerson(12.5)).money()).toBe(12_500_000)
      expect(await (await aPerson(0)).money()).toBe(0)
    })
    test('of somebody who has none are nothing, also where there is less than nothing', async () => {
      const { database, money, give } = await aPerson(0.01)
      expect(await creditsAsMoney(database, 999)).toBe(0)
      await give(-20_000)
      expect(await money()).toBe(0)
    })
    test('are never used up where they are unlimited, and nothing is taken from them', async () => {
      const { money, give, user_id, database } = await aPerson(-1)
      await give(-5_000_000)
      expect(await money()).toBe(Infinity)
      expect(await settingStore(database).credits([user_id])).toMatchObject([{ credits: -1 }])
    })
    test('have lost no millionth when all that was taken is given back, in whatever parts', async () => {
      const random = randomFrom(56)
      const { give, money } = await aPerson(3)
      let taken = 0
      for (let round = 0; round < 25; round++) {
        const part = random.below(100_000)
        taken += part
        await give(-part)
        expect(await money()).toBe(3_000_000 - taken)
      }
      await give(taken)
      expect(await money()).toBe(3_000_000)
    })
    test('of two who are given some at once are both counted', async () => {
      const { give, money } = await aPerson(1)
      await Promise.all(Array.from({ length: 10 }, () => give(1_000)))
      expect(await money()).toBe(1_010_000)
    })
  })
})
