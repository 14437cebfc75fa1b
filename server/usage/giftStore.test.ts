import { describe, expect, test } from 'vitest'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { giftStore, livingGifts } from './giftStore.ts'

const NOW = 1_800_000_000_000
const WEEK = 7 * 86_400_000

const living = prepared((database, { since, now, upstream_id }: { since: number; now: number; upstream_id: number }) =>
  livingGifts(database, { since, now }).where('share_gifts.upstream_id', '=', upstream_id).orderBy('share_gifts.id'),
)

eachDatabase((_name, openDatabase) => {
  async function start() {
    const open = await openDatabase()
    const { database } = open
    const [he, lin] = [await storedUser(database), await storedUser(database)]
    const { id: upstream_id } = await database
      .insertInto('upstreams')
      .values({ source: 'openai_web', label: 'Main', create_time: NOW })
      .returning('id')
      .executeTakeFirstOrThrow()
    const store = giftStore(database)
    const give = (fields: Partial<Parameters<typeof store.insert>[0]> = {}) =>
      store.insert({
        ...{ upstream_id, window_key: 'asks week', unit: 'asks', from_id: he, to_id: lin, amount: 5_000 },
        ...{ create_time: NOW, until: NOW + WEEK, end_time: NOW + WEEK, ...fields },
      })
    const ask = (gift_id: number, ask_id: string, asked_time: number, amount = 1_000) =>
      store.use({ gift_id, ask_id, asked_time, amount })
    const inWindow = (since: number, now: number) => living.rows(database, { since, now, upstream_id })
    return { open, store, give, ask, inWindow, he, lin, upstream_id }
  }

  describe('a gift in the window', () => {
    test('moves all of it until something is used, and what was used within the window with it', async () => {
      const { give, ask, inWindow, he, lin } = await start()
      const { id } = await give()
      const gift = { id, from_id: he, to_id: lin, window_key: 'asks week', until: NOW + WEEK }
      expect(await inWindow(NOW - 1_000, NOW)).toEqual([{ ...gift, amount: 5_000, used: 0 }])
      await ask(id, 'one', NOW + 1)
      await ask(id, 'half', NOW + 2, 500)
      expect(await inWindow(NOW - 1_000, NOW + 3)).toEqual([{ ...gift, amount: 5_000, used: 1_500 }])
    })

    test('moves no more than was left of it when the window began', async () => {
      const { give, ask, inWindow } = await start()
      const { id } = await give({ until: NOW + 2 * WEEK, end_time: NOW + 2 * WEEK })
      await ask(id, 'before', NOW + 1, 3_000)
      await ask(id, 'since', NOW + WEEK)
      expect(await inWindow(NOW + WEEK, NOW + WEEK + 1)).toMatchObject([{ id, amount: 2_000, used: 1_000 }])
    })

    test('moves what was used of it once it is over, until the window is', async () => {
      const { store, give, ask, inWindow } = await start()
      const { id } = await give()
      await ask(id, 'one', NOW + 1)
      await store.end(id, NOW + 2)
      expect(await inWindow(NOW, NOW + 2)).toMatchObject([{ id, amount: 1_000, used: 1_000 }])
      expect(await inWindow(NOW + 2, NOW + 3)).toEqual([])
    })
  })

  describe('what an ask took of a gift', () => {
    test('is what it used in the end, nothing where nothing was answered', async () => {
      const { store, give, ask, upstream_id } = await start()
      const { id } = await give({ unit: 'tokens' })
      await ask(id, 'long', NOW, 4_000)
      await ask(id, 'failed', NOW, 4_000)
      await ask(id, 'long', NOW, 5_000)
      expect(await store.find(id)).toMatchObject({ upstream_id, amount: 5_000, used: 9_000 })
      await store.giveBack('long', 3_766)
      await store.giveBack('failed', Infinity)
      await store.giveBack('another', 7)
      expect(await store.find(id)).toMatchObject({ used: 1_234 })
    })

    test('is given back to the gift that ends last', async () => {
      const { store, give, ask } = await start()
      const [first, last] = [await give(), await give({ until: NOW + 2 * WEEK, end_time: NOW + 2 * WEEK })]
      await ask(first.id, 'one', NOW, 800)
      await ask(last.id, 'one', NOW, 200)
      await store.giveBack('one', 300)
      expect(await store.find(first.id)).toMatchObject({ used: 700 })
      expect(await store.find(last.id)).toMatchObject({ used: 0 })
    })
  })

  describe('gifts of a person', () => {
    test('are what they gave and were given, those that last the longest first, with what was used', async () => {
      const { open, store, give, ask, he, lin } = await start()
      const mei = await storedUser(open.database)
      const [toLin, toMei, back] = [
        await give(),
        await give({ to_id: mei, end_time: NOW + 1 }),
        await give({ from_id: lin, to_id: he, end_time: NOW + 2 }),
      ]
      await ask(toLin.id, 'one', NOW)
      const listed = async (user_id: number) => (await store.ofPerson(user_id)).map(({ id, used }) => [id, used])
      expect(await listed(he)).toEqual([
        [toLin.id, 1_000],
        [back.id, 0],
        [toMei.id, 0],
      ])
      expect(await listed(mei)).toEqual([[toMei.id, 0]])
    })

    test('go with whoever gave them or was given them, and what everybody gave goes with its receiver', async () => {
      const { open, store, give, ask, he, lin } = await start()
      const mei = await storedUser(open.database)
      const { id } = await give()
      const { id: granted } = await give({ from_id: null, to_id: mei })
      await ask(id, 'one', NOW)
      await open.database.deleteFrom('users').where('id', '=', he).execute()
      expect(await store.ofPerson(lin)).toEqual([])
      expect(await store.find(granted)).toMatchObject({ from_id: null, to_id: mei, of_reserve: false, used: 0 })
      await open.database.deleteFrom('users').where('id', '=', mei).execute()
      expect(await store.find(granted)).toBeUndefined()
    })
  })
})
