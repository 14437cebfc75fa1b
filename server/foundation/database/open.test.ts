import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { aConversationRow, aUserRow, storedConversation, storedUser } from '#testing/rows.ts'
import { UnstorableText } from './schema/codec.ts'
import type { Database } from './open.ts'

const storeText = async (database: Database, nickname: string) =>
  (await database.insertInto('users').values(aUserRow({ nickname })).returning('nickname').executeTakeFirstOrThrow())
    .nickname

const storeSetting = async (database: Database, setting_value: unknown) => {
  await database
    .insertInto('stored_settings')
    .values({ setting_path: 'path', setting_value, update_time: 1 })
    .onConflict(conflict => conflict.column('setting_path').doUpdateSet({ setting_value }))
    .execute()
  return (await database.selectFrom('stored_settings').select('setting_value').executeTakeFirstOrThrow()).setting_value
}

eachDatabase((name, open) => {
  test('a row comes back as it was written, with its defaults', async () => {
    const { database } = await open()
    const row = aUserRow({ is_superuser: true })
    const written = await database.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow()
    expect(written).toStrictEqual({
      id: 1,
      is_active: true,
      is_verified: false,
      avatar: null,
      remark: null,
      last_active_time: null,
      search_text: '',
      erase_time: null,
      hold_time: null,
      hold_reason: null,
      signed_out_time: null,
      ...row,
    })
    expect(await database.selectFrom('users').selectAll().execute()).toStrictEqual([written])
  })

  describe('text', () => {
    let database: Database
    beforeAll(async () => {
      database = (await open()).database
    })

    test.each([
      ['Chinese', '小明的对话'],
      ['an emoji of many parts', '👩‍👩‍👧‍👦'],
      ['beyond the basic plane', '𠮷𝒳'],
      ['empty', ''],
      ['quotes', `'"\`\\'; drop table users; --`],
      ['a direction override', '\u202eabc'],
      ['line ends and tabs', 'a\r\nb\tc\u2028'],
      ['decomposed and composed letters', 'e\u0301é'],
      ['control characters', '\u0001\u001f\u007f'],
      ['noncharacters', '\ufeff\uffff\ufdd0'],
      ['long', '长'.repeat(1_000_000)],
    ])('comes back as it was: %s', async (_, text) => {
      expect(await storeText(database, text)).toBe(text)
    })
    test.each([
      ['NUL', 'a\0b'],
      ['half a surrogate pair', 'a\ud83d'],
      ['the other half', '\ude00b'],
    ])('is refused with %s', async (_, text) => {
      const count = async () => (await database.selectFrom('users').select('id').execute()).length
      const before = await count()
      await expect(storeText(database, text)).rejects.toThrow(UnstorableText)
      await expect(database.selectFrom('users').selectAll().where('username', '=', text).execute()).rejects.toThrow(
        UnstorableText,
      )
      expect(await count()).toBe(before)
    })
    test('is sorted by its bytes and told apart by case', async () => {
      await database.deleteFrom('users').execute()
      for (const nickname of ['b', 'Ä', 'a', 'B', '文', '_', 'A', 'ä']) await storeText(database, nickname)
      const found = await database.selectFrom('users').select('nickname').orderBy('nickname').execute()
      expect(found.map(({ nickname }) => nickname)).toEqual(['A', 'B', '_', 'a', 'b', 'Ä', 'ä', '文'])
    })
  })

  describe('json', () => {
    let database: Database
    beforeAll(async () => {
      database = (await open()).database
    })

    test.each([
      ['an object', { a: [1, { b: null }], 小: '明' }],
      ['a list', [1, 'two', [3]]],
      ['a string', 'yes'],
      ['a string that looks like JSON', '{"a":1}'],
      ['a number', 0.1],
      ['a truth', true],
      ['null', null],
      ['an empty list', []],
      ['text no column takes', { text: 'a\0\ud800' }],
    ])('comes back as it was: %s', async (_, value) => {
      expect(await storeSetting(database, 'earlier')).toBe('earlier')
      expect(await storeSetting(database, value)).toStrictEqual(value)
      await database.updateTable('stored_settings').set('setting_value', value).execute()
      expect(await database.selectFrom('stored_settings').select('setting_value').execute()).toStrictEqual([
        { setting_value: value },
      ])
    })
    test('of several rows at once, some without it', async () => {
      await database
        .insertInto('conversations')
        .values([
          aConversationRow({ conversation_metadata: { a: 'x' } }),
          aConversationRow(),
          aConversationRow({ conversation_metadata: null }),
        ])
        .execute()
      const found = await database.selectFrom('conversations').select('conversation_metadata').orderBy('id').execute()
      expect(found.map(({ conversation_metadata }) => conversation_metadata)).toEqual([{ a: 'x' }, null, null])
      expect(
        await database.selectFrom('conversations').where('conversation_metadata', 'is', null).select('id').execute(),
      ).toHaveLength(2)
    })
    test('is decoded in a join, too', async () => {
      const conversation_id = await storedConversation(database)
      const message = {
        conversation_id,
        message_id: 'm',
        position: 0,
        role: 'user',
        content: { parts: ['hi'] },
        create_time: 1,
      }
      await database.insertInto('messages').values(message).execute()
      expect(
        await database
          .selectFrom('conversations')
          .innerJoin('messages', 'messages.conversation_id', 'conversations.conversation_id')
          .select(['messages.content', 'conversations.is_valid'])
          .execute(),
      ).toStrictEqual([{ content: { parts: ['hi'] }, is_valid: true }])
    })
  })

  describe('a number', () => {
    let database: Database
    beforeAll(async () => {
      database = (await open()).database
    })
    beforeEach(async () => {
      await database.deleteFrom('queues').execute()
    })

    test('counts and sums are numbers', async () => {
      await database
        .insertInto('ask_logs')
        .values(
          [1, 2].map(log_time => ({
            log_time: log_time + 1_700_000_000_000,
            source: 's',
            model: 'm',
            queueing_time: 0.25,
            ask_time: 1.5,
          })),
        )
        .execute()
      expect(
        await database
          .selectFrom('ask_logs')
          .select(({ fn }) => [
            fn.countAll<number>().as('count'),
            fn.sum<number>('log_time').as('sum'),
            fn.max('log_time').as('latest'),
            fn.avg<number>('ask_time').as('average'),
            fn.sum<number>('queueing_time').as('waited'),
          ])
          .executeTakeFirst(),
      ).toEqual({ count: 2, sum: 3_400_000_000_003, latest: 1_700_000_000_002, average: 1.5, waited: 0.5 })
    })
    test('a whole one is divided as a whole one', async () => {
      await database.insertInto('queues').values({ upstream_id: 1, next_ticket: 7 }).execute()
      const halved = await database
        .updateTable('queues')
        .set(({ eb }) => ({ next_ticket: eb('next_ticket', '/', 2) }))
        .returningAll()
        .execute()
      expect(halved).toEqual([{ upstream_id: 1, next_ticket: 3 }])
    })
    test('the largest safe one comes back', async () => {
      const row = { upstream_id: 1, next_ticket: Number.MAX_SAFE_INTEGER }
      expect(await database.insertInto('queues').values(row).returningAll().executeTakeFirst()).toEqual(row)
    })
    test.each([
      ['a fraction', 1.5],
      ['NaN', NaN],
      ['infinity', Infinity],
    ])('%s is no whole number', async (_, next_ticket) => {
      await expect(database.insertInto('queues').values({ upstream_id: 1, next_ticket }).execute()).rejects.toThrow()
    })
  })

  test('a truth is one under another name and as a condition', async () => {
    const { database } = await open()
    await storedUser(database, { is_active: false })
    expect(
      await database.selectFrom('users').select('is_active as may').where('is_active', '=', false).execute(),
    ).toEqual([{ may: false }])
    expect(await database.selectFrom('users').select('id').where('is_active', 'is', true).execute()).toEqual([])
  })
  test('a row taken twice is a unique violation, and another error is none', async () => {
    const { database, isUniqueViolation } = await open()
    const row = aUserRow()
    await database.insertInto('users').values(row).execute()
    const setting = { setting_path: 'a', setting_value: 1, update_time: 1 }
    await database.insertInto('stored_settings').values(setting).execute()
    for (const again of [
      database.insertInto('users').values(row),
      database.insertInto('stored_settings').values(setting),
    ]) {
      expect(isUniqueViolation(await again.execute().catch((error: unknown) => error))).toBe(true)
    }
    const other = await database
      .insertInto('sessions')
      .values({ token_hash: 'a', user_id: 99, create_time: 1, last_seen_time: 1, expire_time: 1 })
      .execute()
      .catch((error: unknown) => error)
    expect(other).toBeInstanceOf(Error)
    expect([other, null, 'text'].some(isUniqueViolation)).toBe(false)
  })
  test('what belongs to a user goes with the user, and the conversations stay without an owner', async () => {
    const { database } = await open()
    const user_id = await storedUser(database)
    await storedConversation(database, { user_id })
    await database.insertInto('user_credits').values({ user_id, credits: 1.5 }).execute()
    await database.deleteFrom('users').execute()
    expect(await database.selectFrom('user_credits').selectAll().execute()).toEqual([])
    expect(await database.selectFrom('conversations').select('user_id').execute()).toEqual([{ user_id: null }])
  })
  test('an id is never given twice', async () => {
    const { database } = await open()
    const first = await storedUser(database)
    await database.deleteFrom('users').execute()
    expect(await storedUser(database)).toBeGreaterThan(first)
  })
  test('it answers a check while it is open, and may be closed twice', async () => {
    const { check, close } = await open()
    await check()
    await Promise.all([close(), close()])
    await expect(check()).rejects.toThrow()
  })
  if (name === 'PostgreSQL') {
    test('its role is an ordinary one', async () => {
      const { database } = await open()
      const { rows } = await sql`select rolsuper, rolcreaterole from pg_roles where rolname = current_user`.execute(
        database,
      )
      expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }])
    })
  }
})
