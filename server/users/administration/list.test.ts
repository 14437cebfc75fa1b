import { describe, expect, test } from 'vitest'
import type { UserListQuery } from '#contract/userAdministration.ts'
import { userStore } from '#server/users/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { NOTHING_OWN } from '#server/policy/plans.ts'
import { IN_ALL, usageStore } from '#server/usage/store.ts'
import { settingStore } from '#server/policy/store.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import { storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { aUserRow, storedConversation } from '#testing/rows.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { userList } from './list.ts'

const DAY = 86_400_000
const configuration = () => Configuration.parse({})

type Fields = Partial<Parameters<ReturnType<typeof userStore>['insert']>[0]>

async function aPerson({ database }: OpenDatabase, fields: Fields = {}): Promise<number> {
  const id = await userStore(database).insert({ ...aUserRow(), ...fields })
  await settingStore(database).insert(id, NOTHING_OWN, 0)
  return id
}

/** Five people, of whom everything that the list tells apart differs. */
async function somePeople(open: OpenDatabase) {
  const { database } = open
  const clock = { time: SOME_TIME, now: () => SOME_TIME, monotonic: () => SOME_TIME }
  const ids = {
    lin: await aPerson(open, {
      username: 'LinXiaoyu',
      nickname: '林小雨',
      email: 'Lin@example.org',
      remark: '50% off_peak',
      create_time: 3,
      last_active_time: SOME_TIME - 1_000,
    }),
    bo: await aPerson(open, { username: 'bo', nickname: 'Ｂｏ Ａnders', create_time: 1, last_active_time: 5 }),
    root: await aPerson(open, { username: 'root', nickname: 'Ä root', is_superuser: true, create_time: 2 }),
    gone: await aPerson(open, { username: 'gone', nickname: 'zoe', is_active: false, create_time: 5 }),
    mei: await aPerson(open, { username: 'mei', nickname: 'Mei', create_time: 4, last_active_time: 7 }),
  }
  const take = async (user_id: number, asks: number) => {
    for (let count = 0; count < asks; count++)
      await usageStore(database).take({ user_id, source: 'openai_api', model: IN_ALL }, 1)
  }
  const change = (user_id: number, source: 'openai_web' | 'openai_api', columns: object) =>
    settingStore(database).changeSource(user_id, source, columns)
  await change(ids.lin, 'openai_web', { valid_until: SOME_TIME - 1 })
  await change(ids.lin, 'openai_api', { total_ask_allowed: 4 })
  await take(ids.lin, 1)
  await change(ids.bo, 'openai_web', { valid_until: SOME_TIME + 7 * DAY })
  await change(ids.bo, 'openai_api', { allow_to_use: false, valid_until: SOME_TIME - DAY })
  await change(ids.mei, 'openai_api', { total_ask_allowed: 9, valid_until: SOME_TIME + 8 * DAY })
  await take(ids.mei, 9)
  for (const [conversations, user_id] of [
    [2, ids.bo],
    [1, ids.mei],
  ] as const)
    for (let count = 0; count < conversations; count++) await storedConversation(database, { user_id })
  await storedConversation(database, { user_id: ids.mei, is_valid: false })
  for (const [user_id, ask_state, round, ticket] of [
    [ids.mei, 'queueing', 2, 1],
    [ids.lin, 'queueing', 1, 3],
    [ids.bo, 'asking', 1, 2],
    [ids.bo, 'queueing', 2, 4],
  ] as const)
    await storedAsk(open, { user_id, ask_state, round, ticket })
  for (const [token_hash, expire_time] of [
    ['a', SOME_TIME + 1],
    ['b', SOME_TIME],
  ] as const)
    await database
      .insertInto('sessions')
      .values({ token_hash, user_id: ids.lin, create_time: 0, last_seen_time: 0, expire_time })
      .execute()
  // The asks of these tests come with people of their own.
  await database.deleteFrom('users').where('id', 'not in', Object.values(ids)).execute()
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  const list = userList({ open, clock, configuration })
  return {
    ids,
    list,
    found: async (query: UserListQuery) => (await list.page(query)).rows.map(({ id }) => names.get(id)),
  }
}

eachDatabase((_, open) => {
  describe('the list of people', () => {
    test('finds by words in any case, width and order, accents or not, in nickname, user name, e-mail and remark', async () => {
      const { found } = await somePeople(await open())
      for (const [words, names] of [
        ['LINXIAO', ['lin']],
        ['林 example.org', ['lin']],
        ['bo anders', ['bo']],
        ['ａnders　ＢＯ', ['bo']],
        ['0% off_', ['lin']],
        ['0_ off', []],
        ['%', ['lin']],
        [String.raw`\ `, []],
        ['ä róot', ['root']],
        ['A ROOT', ['root']],
        [' ', ['lin', 'mei', 'bo', 'root', 'gone']],
      ] as const)
        expect(await found({ words }), words).toEqual(names)
    })
    test('filters by state, role, source and what expires', async () => {
      const { found } = await somePeople(await open())
      for (const [query, names] of [
        [{ state: 'active' }, ['lin', 'mei', 'bo', 'root']],
        [{ state: 'inactive' }, ['gone']],
        [{ state: 'asking' }, ['bo']],
        [{ state: 'queueing' }, ['lin', 'mei']],
        [{ state: 'idling' }, ['root']],
        [{ role: 'superuser' }, ['root']],
        [{ role: 'user', state: 'inactive' }, ['gone']],
        [{ allowed: 'openai_api' }, ['lin', 'mei', 'root', 'gone']],
        [{ expiry: 'expired' }, ['lin']],
        [{ expiry: 'expired', source: 'openai_api' }, []],
        [{ expiry: 'soon' }, ['bo']],
        [{ expiry: 'never' }, ['root', 'gone']],
        [{ expiry: 'never', source: 'openai_api' }, ['lin', 'root', 'gone']],
      ] as const)
        expect(await found(query), JSON.stringify(query)).toEqual(names)
    })
    test('stands in each order, with what is missing or unlimited at the end', async () => {
      const { found } = await somePeople(await open())
      for (const [query, names] of [
        [{}, ['lin', 'mei', 'bo', 'root', 'gone']],
        [{ order: 'asc' }, ['bo', 'mei', 'lin', 'root', 'gone']],
        [{ sort: 'nickname' }, ['root', 'bo', 'mei', 'gone', 'lin']],
        [{ sort: 'username' }, ['bo', 'gone', 'lin', 'mei', 'root']],
        [{ sort: 'create_time' }, ['gone', 'mei', 'lin', 'root', 'bo']],
        [{ sort: 'valid_until', order: 'asc' }, ['lin', 'bo', 'mei', 'root', 'gone']],
        [{ sort: 'valid_until', source: 'openai_api' }, ['mei', 'lin', 'bo', 'root', 'gone']],
        [{ sort: 'used_share' }, ['mei', 'lin', 'bo', 'root', 'gone']],
        [{ sort: 'remaining' }, ['lin', 'mei', 'bo', 'root', 'gone']],
        [{ sort: 'conversations' }, ['bo', 'mei', 'lin', 'root', 'gone']],
        [{ sort: 'sessions' }, ['lin', 'bo', 'root', 'gone', 'mei']],
      ] as const)
        expect((await found(query)).slice(0, 5), JSON.stringify(query)).toEqual(names)
    })
    test('says of each what they do, have used and have left', async () => {
      const { ids, list } = await somePeople(await open())
      const { rows, total, counts } = await list.page({ sort: 'create_time', order: 'asc', size: '20' })
      expect({ total, counts }).toEqual({ total: 5, counts: { all: 5, online: 1 } })
      expect(rows.map(({ id }) => id)).toEqual([ids.bo, ids.root, ids.lin, ids.mei, ids.gone])
      const [bo, , lin, mei] = rows
      expect(lin).toMatchObject({
        username: 'LinXiaoyu',
        remark: '50% off_peak',
        chat_status: 'queueing',
        queue_position: 1,
        sessions: 1,
        conversations: 0,
        openai_api: { total: { used: 1, allowed: 4, remaining: 3 }, valid_until: null },
        openai_web: {
          total: { used: 0, allowed: -1, remaining: -1 },
          valid_until: new Date(SOME_TIME - 1).toISOString(),
        },
      })
      expect(JSON.stringify(lin)).not.toMatch(/password|hash|search_text/)
      expect([bo?.chat_status, bo?.queue_position, bo?.conversations]).toEqual(['asking', 3, 2])
      expect([mei?.chat_status, mei?.queue_position]).toEqual(['queueing', 2])
      expect(mei?.openai_api.conversations).toEqual({ used: 1, allowed: -1 })
      expect(await list.one(ids.mei)).toEqual(mei)
      await expect(list.one(999_999)).rejects.toMatchObject({ key: 'userNotExist' })
    })
    test('has pages that do not overlap, and an empty one behind the last', async () => {
      const opened = await open()
      for (let count = 0; count < 45; count++) await aPerson(opened, { nickname: 'Alike' })
      const list = userList({ open: opened, clock: { now: () => SOME_TIME, monotonic: () => 0 }, configuration })
      const pages = await Promise.all(
        ['1', '2', '3', '4'].map(page => list.page({ page, size: '20', sort: 'nickname' })),
      )
      expect(pages.map(({ rows }) => rows.length)).toEqual([20, 20, 5, 0])
      expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(45)
      expect(pages.map(({ total }) => total)).toEqual([45, 45, 45, 45])
      expect(await list.idsOf({ words: 'ALIKE' })).toHaveLength(45)
    })
    test('finds by what a name was changed to', async () => {
      const opened = await open()
      const id = await aPerson(opened, { nickname: 'Before', remark: 'kept' })
      await userStore(opened.database).change(id, { nickname: 'Ａfter', is_verified: true })
      const list = userList({ open: opened, clock: { now: () => SOME_TIME, monotonic: () => 0 }, configuration })
      expect((await list.page({ words: 'before' })).total).toBe(0)
      expect((await list.page({ words: 'kept after' })).rows.map(row => row.id)).toEqual([id])
    })
  })
})
