import { describe, expect, test } from 'vitest'
import type { ShareLedger, ShareReceiver } from '#contract/shareLedger.ts'
import type { ShareGift } from '#contract/shares.ts'
import { eachStorage } from '#testing/database.ts'
import type { Person } from '#testing/person.ts'
import { aSharedAccount } from './shared.testing.ts'

const DAY = 86_400_000

eachStorage((_name, storage) => {
  async function start() {
    const account = await aSharedAccount({ storage: await storage() })
    const [he, lin] = [await account.member('he'), await account.member('lin')]
    const { upstream_id, inAnHour } = account
    const body = (more: object = {}) => ({ upstream_id, user_id: lin.id, amount: 3, until: inAnHour, ...more })
    const give = (more: object = {}, by = he) => by.result<ShareGift>('POST', '/shares/gift', body(more))
    const refusal = async (more: object = {}, by = he) => {
      const { code, message, values } = await by.call('POST', '/shares/gift', body(more))
      return { code, message, ...(values !== undefined && { values }) }
    }
    const ledger = (of: Person) => of.result<ShareLedger>('GET', `/shares/${upstream_id}/ledger`)
    return { ...account, he, lin, give, refusal, ledger }
  }

  describe('a gift', () => {
    test('is a part of one’s share to somebody until a moment, listed by both', async () => {
      const { give, he, lin, inAnHour, upstream_id } = await start()
      const given = await give()
      expect(given).toMatchObject({
        ...{ upstream_id, unit: 'asks', amount: 3, used: 0, until: inAnHour, taken_back_at: null, of_reserve: false },
        ...{ from: { id: he.id, name: 'he' }, to: { id: lin.id, name: 'lin' } },
      })
      expect(await he.result('GET', '/shares/gifts')).toEqual([given])
      expect(await lin.result('GET', '/shares/gifts')).toEqual([given])
    })

    test('is used before anything is borrowed, and what was used of it stays given when it is taken back', async () => {
      const { give, he, lin, ledger } = await start()
      // Of twelve each has six, and has used one.
      const { id } = await give()
      for (let ask = 0; ask < 7; ask += 1) await lin.ask('hello', { new_title: 'x' })
      expect(await lin.result('GET', '/shares/gifts')).toMatchObject([{ id, used: 2 }])
      expect(await ledger(lin)).toMatchObject({ share: 9, left: 1 })
      const lines = (await ledger(lin)).lines
      expect(lines.filter(({ is_borrowed }) => is_borrowed)).toEqual([])
      const taken = await he.result<ShareGift>('DELETE', `/shares/gift/${id}`)
      expect(taken).toMatchObject({ id, used: 2, taken_back_at: expect.any(String) })
      expect(await ledger(he)).toMatchObject({ share: 4, left: 3 })
      expect(await ledger(lin)).toMatchObject({ share: 8, left: 0 })
      expect(await he.call('DELETE', `/shares/gift/${id}`)).toMatchObject({ message: 'errors.giftOver' })
    })

    test.each([
      { unit: 'tokens', capacity: 2_000, given: 300 },
      { unit: 'money', capacity: 0.008, given: 0.001_2 },
    ] as const)('of $unit is used by what an answer used beyond one’s share', async ({ unit, capacity, given }) => {
      const account = await aSharedAccount({ storage: await storage() }, { unit, amount: capacity })
      const [he, lin] = [await account.member('he'), await account.member('lin')]
      const { upstream_id, inAnHour } = account
      await he.result('POST', '/shares/gift', { upstream_id, user_id: lin.id, amount: given, until: inAnHour })
      const mine = () => lin.result<ShareLedger>('GET', `/shares/${upstream_id}/ledger`)
      const gift = async () => (await lin.result<ShareGift[]>('GET', '/shares/gifts'))[0]?.used ?? 0
      const whole = capacity / 2 + given
      const used = async () => whole - (await mine()).left
      const ask = (tokens: number) => lin.ask(`/simulate tokens=${tokens}`, { new_title: 'x' })
      await ask(900)
      expect(await used()).toBeLessThan(capacity / 2)
      expect(await gift()).toBe(0)
      await ask(150)
      const beyond = (await used()) - capacity / 2
      expect(beyond).toBeGreaterThan(0)
      expect(await gift()).toBeCloseTo(beyond, 9)
      expect((await mine()).lines.filter(({ is_borrowed }) => is_borrowed)).toEqual([])
    })

    test('is taken back by the giver alone', async () => {
      const { give, lin, he, admin } = await start()
      const { id } = await give()
      for (const other of [lin, admin])
        expect(await other.call('DELETE', `/shares/gift/${id}`)).toMatchObject({ code: 404 })
      expect(await he.call('DELETE', '/shares/gift/999999')).toMatchObject({ code: 404 })
    })

    test('may be of all that is left, and never of more', async () => {
      const { give, refusal } = await start()
      const left = { message: 'errors.giftTooMuch', values: { left: 5, unit: 'asks', currency: 'USD' } }
      expect(await refusal({ amount: 6 })).toMatchObject(left)
      await give({ amount: 5 })
      expect(await refusal({ amount: 1 })).toMatchObject({ message: 'errors.giftTooMuch', values: { left: 0 } })
    })

    test('of the same asks twice at once is one', async () => {
      const { he, lin, inAnHour, upstream_id } = await start()
      const body = { upstream_id, user_id: lin.id, amount: 3, until: inAnHour }
      const answers = await Promise.all([1, 2, 3].map(() => he.call('POST', '/shares/gift', body)))
      expect(answers.map(({ message }) => message).toSorted()).toEqual([
        'errors.giftTooMuch',
        'errors.giftTooMuch',
        'tips.requestSuccess',
      ])
    })

    test('may go to somebody who may ask the account and never has, and lists them by the names it shows', async () => {
      const { give, person, he, lin, admin, change, upstream_id } = await start()
      const [mei, off, none] = [await person('mei'), await person('off'), await person('none')]
      await admin.result('PATCH', `/user/${off.id}`, { is_active: false })
      await admin.result('PATCH', `/user/${none.id}/setting`, { openai_api: { allow_to_use: false } })
      const receivers = () => he.result<ShareReceiver[]>('GET', `/shares/${upstream_id}/receivers`)
      const listed = (await receivers()).filter(({ user_id }) => user_id !== admin.id)
      expect(listed).toEqual([
        { user_id: lin.id, name: 'lin', left: 5 },
        { user_id: mei.id, name: 'mei', left: null },
      ])
      expect(await give({ user_id: mei.id })).toMatchObject({ to: { name: 'mei' } })
      await change({ member_names: 'initials', owner_id: he.id })
      expect((await receivers()).map(({ name }) => name)).toContain('l')
      await change({ member_names: 'none', owner_id: lin.id })
      expect(await receivers()).toEqual([])
      const asked = await none.call('GET', `/shares/${upstream_id}/receivers`)
      expect(asked).toMatchObject({ message: 'errors.shareNotFound' })
    })

    test('is refused in words for whatever is none', async () => {
      const { refusal, he, person, admin, upstream_id } = await start()
      const [gone, off] = [await person('gone'), await person('off')]
      await admin.result('DELETE', `/user/${gone.id}`)
      await admin.result('PATCH', `/user/${off.id}`, { is_active: false })
      expect(await refusal({ user_id: he.id })).toMatchObject({ message: 'errors.giftToOneself' })
      for (const user_id of [gone.id, off.id, 999_999])
        expect(await refusal({ user_id })).toMatchObject({ message: 'errors.giftNotTo' })
      expect(await refusal({ amount: 0.5 })).toMatchObject({ message: 'errors.giftNotWhole' })
      expect(await refusal({ amount: 1.5 })).toMatchObject({ message: 'errors.giftNotWhole' })
      for (const until of [Date.now() - 1_000, Date.now() + 20 * DAY])
        expect(await refusal({ until: new Date(until).toISOString() })).toMatchObject({
          ...{ message: 'errors.giftTooLong', values: { ends_at: expect.any(String) } },
        })
      for (const more of [{ amount: 0 }, { amount: -1 }, { amount: 'all' }, { until: 'Sunday' }, { user_id: 0 }])
        expect(await refusal(more)).toMatchObject({ code: 422 })
      expect(await refusal({ upstream_id: 999_999 })).toMatchObject({ message: 'errors.shareNotFound' })
      expect(await he.call('GET', '/shares/999999/ledger')).toMatchObject({ message: 'errors.shareNotFound' })
      expect(await he.call('GET', `/shares/${upstream_id}/ledger`)).toMatchObject({ code: 200 })
    })

    test('is none of an account that is first come, first served', async () => {
      const { refusal, change, he } = await start()
      await change({ sharing: 'first_come', owner_id: he.id })
      expect(await refusal()).toMatchObject({ message: 'errors.shareNotFound' })
    })
  })

  describe('the ledger of an account', () => {
    test('has a line of a gift for both, of its end, and above them what will come back', async () => {
      const { give, he, lin, ledger } = await start()
      const { id, until } = await give()
      const mine = await ledger(he)
      expect(mine).toMatchObject({ unit: 'asks', share: 3, left: 2, coming: [{ gift: { id }, at: until, amount: 3 }] })
      expect(mine.lines).toMatchObject([
        { kind: 'given', name: 'lin', until, gift_id: id, amount: 3, change: -3, left: 2 },
        { kind: 'asked', amount: 1, change: -1, left: 5 },
      ])
      const theirs = await ledger(lin)
      expect(theirs).toMatchObject({ coming: [], left: 8 })
      expect(theirs.lines).toMatchObject([
        { kind: 'received', name: 'he', change: 3, left: 8 },
        { kind: 'asked', change: -1, left: 5 },
      ])
      await he.result('DELETE', `/shares/gift/${id}`)
      expect((await ledger(he)).lines[0]).toMatchObject({ kind: 'taken_back', name: 'lin', change: 3, left: 5 })
      expect((await ledger(lin)).lines[0]).toMatchObject({ kind: 'taken_back', name: 'he', change: -3, left: 5 })
      expect((await ledger(he)).coming).toEqual([])
    })

    test('names others as the account shows them', async () => {
      const { give, ledger, he, lin, change } = await start()
      await give()
      await change({ member_names: 'initials', owner_id: he.id })
      expect((await ledger(lin)).lines[0]).toMatchObject({ name: 'h' })
      await change({ member_names: 'none', owner_id: lin.id })
      expect((await ledger(lin)).lines[0]).toMatchObject({ name: null })
      expect(await lin.result('GET', '/shares/gifts')).toMatchObject([{ from: { name: '' } }])
    })
  })
})
