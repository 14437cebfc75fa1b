import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { requestStore } from './requestStore.ts'

const NOW = 1_800_000_000_000

eachDatabase((_name, openDatabase) => {
  async function start() {
    const open = await openDatabase()
    const [lin, mei, admin] = [
      await storedUser(open.database),
      await storedUser(open.database),
      await storedUser(open.database),
    ]
    const store = requestStore(open.database)
    const ask = (fields: Partial<Parameters<typeof store.insert>[0]> = {}) =>
      store.insert({
        ...{ user_id: lin, source: 'openai_api', unit: 'asks', amount: 10, until: NOW + 1_000, reason: '' },
        ...{ create_time: NOW, ...fields },
      })
    const grant = (id: number, granted_amount: number, granted_until: number) =>
      store.change(id, {
        ...{ decision: 'granted', granted_amount, granted_until, decided_by: admin, decide_time: NOW + id },
      })
    return { open, store, lin, mei, admin, ask, grant }
  }

  describe('a request', () => {
    test('is open until it is answered, and found by person, source and unit', async () => {
      const { store, ask, grant, lin, mei } = await start()
      const { id } = await ask()
      const of = { user_id: lin, source: 'openai_api', unit: 'asks', upstream_id: null }
      expect(await store.openOf(of)).toMatchObject({ id, decision: null })
      for (const other of [{ user_id: mei }, { source: 'openai_web' }, { unit: 'tokens' }])
        expect(await store.openOf({ ...of, ...other })).toBeUndefined()
      await grant(id, 10, NOW + 1_000)
      expect(await store.openOf(of)).toBeUndefined()
    })

    test('is listed with the oldest open and the latest answered first, of one person or of everybody', async () => {
      const { store, ask, grant, lin, mei } = await start()
      const requests = [await ask(), await ask({ user_id: mei }), await ask({ unit: 'tokens' }), await ask()]
      const ids = requests.map(({ id }) => id)
      const [first = 0, second = 0, third = 0, fourth = 0] = ids
      const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)
      expect(idsOf(await store.open(null))).toEqual(ids)
      expect(idsOf(await store.open(mei))).toEqual([second])
      await grant(first, 1, NOW)
      await grant(third, 1, NOW)
      expect(idsOf(await store.open(null))).toEqual([second, fourth])
      expect(idsOf(await store.answered(null))).toEqual([third, first])
      expect(await store.answered(mei)).toEqual([])
      expect(idsOf(await store.listOf(lin))).toEqual([first, third, fourth])
    })

    test('is withdrawn while it is open, and stays when it was answered', async () => {
      const { store, ask, grant } = await start()
      const [open, answered] = [await ask(), await ask({ unit: 'tokens' })]
      await grant(answered.id, 5, NOW + 5)
      expect(await store.withdraw(open.id)).toBe(true)
      expect(await store.withdraw(open.id)).toBe(false)
      expect(await store.withdraw(answered.id)).toBe(false)
      expect(await store.find(answered.id)).toMatchObject({ granted_amount: 5 })
    })

    test('stays answered when whoever answered it is gone', async () => {
      const { store, ask, grant, admin } = await start()
      const { id } = await ask()
      await grant(id, 5, NOW + 5)
      await store.forgetWhoAnswered(admin)
      expect(await store.find(id)).toMatchObject({ decision: 'granted', decided_by: null, granted_amount: 5 })
    })
  })

  describe('what was granted', () => {
    test('adds up by source and unit, and each ends at its moment', async () => {
      const { store, ask, grant, lin, mei } = await start()
      await grant((await ask()).id, 10, NOW + 100)
      await grant((await ask()).id, 5, NOW + 200)
      await grant((await ask({ unit: 'money' })).id, 2_000_000, NOW + 300)
      await grant((await ask({ user_id: mei })).id, 1_000, NOW + 300)
      await ask({ unit: 'tokens' })
      const granted = async (now: number) =>
        Object.fromEntries((await store.grants(lin, now)).map(({ unit, amount }) => [unit, amount]))
      expect(await granted(NOW)).toEqual({ asks: 15, money: 2_000_000 })
      expect(await granted(NOW + 99)).toEqual({ asks: 15, money: 2_000_000 })
      expect(await granted(NOW + 100)).toEqual({ asks: 5, money: 2_000_000 })
      expect(await granted(NOW + 200)).toEqual({ money: 2_000_000 })
      expect(await granted(NOW + 300)).toEqual({})
    })
  })

  describe('a notice', () => {
    test('is shown once until its moment, and one without a moment once for ever', async () => {
      const { store, lin, mei } = await start()
      const nearly = { user_id: lin, notice_key: 'nearly', until: NOW + 100 }
      expect(await store.noteShown(nearly, NOW)).toBe(true)
      expect(await store.noteShown(nearly, NOW + 99)).toBe(false)
      expect(await store.noteShown({ ...nearly, user_id: mei }, NOW)).toBe(true)
      expect(await store.noteShown({ ...nearly, until: NOW + 500 }, NOW + 100)).toBe(true)
      expect(await store.noteShown(nearly, NOW + 101)).toBe(false)
      const answer = { user_id: lin, notice_key: 'answer', until: null }
      expect(await store.noteShown(answer, NOW)).toBe(true)
      expect(await store.noteShown(answer, NOW * 2)).toBe(false)
      expect((await store.shownTo(lin, NOW + 499)).toSorted()).toEqual(['answer', 'nearly'])
      expect(await store.shownTo(lin, NOW + 500)).toEqual(['answer'])
    })

    test('is shown in one of many browsers that look at once', async () => {
      const { store, lin } = await start()
      const notice = { user_id: lin, notice_key: 'nearly', until: NOW + 100 }
      const shown = await Promise.all(Array.from({ length: 8 }, () => store.noteShown(notice, NOW)))
      expect(shown.filter(Boolean)).toHaveLength(1)
    })
  })
})
