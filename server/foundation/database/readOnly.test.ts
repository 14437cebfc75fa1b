import { expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { aUserRow, storedConversation, storedUser } from '#testing/rows.ts'
import { UnstorableText } from './schema/codec.ts'

eachDatabase((name, open) => {
  test('a long read gives the rows as any other read does, with what was just committed', async () => {
    const { database, readOnly } = await open()
    const user_id = await storedUser(database, { is_superuser: true })
    await storedConversation(database, { user_id, title: '备份', conversation_metadata: { a: [1, null] } })
    const conversations = (from: typeof database) =>
      from
        .selectFrom('conversations')
        .innerJoin('users', 'users.id', 'conversations.user_id')
        .selectAll('conversations')
        .select(['users.is_superuser as may', 'users.last_active_time'])
        .where('title', '=', '备份')
        .execute()
    const found = await conversations(readOnly())
    expect(found).toEqual([
      expect.objectContaining({ conversation_metadata: { a: [1, null] }, may: true, last_active_time: null }),
    ])
    expect(found).toStrictEqual(await conversations(database))
  })
  test('does not see what is not committed, and is no part of a transaction', async () => {
    const { database, readOnly, transaction } = await open()
    const goOn = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const writing = transaction(async trx => {
      await trx.insertInto('users').values(aUserRow()).execute()
      written.resolve()
      await goOn.promise
    })
    await written.promise
    expect(await readOnly().selectFrom('users').selectAll().execute()).toEqual([])
    goOn.resolve()
    await writing
    expect(await readOnly().selectFrom('users').selectAll().execute()).toHaveLength(1)
    expect(await database.selectFrom('users').selectAll().execute()).toHaveLength(1)
    if (name === 'SQLite') {
      await expect(transaction(() => readOnly().selectFrom('users').selectAll().execute())).rejects.toThrow(
        'inside a transaction, queries go through it',
      )
    }
  })
  test('fails as any other read does', async () => {
    const { readOnly } = await open()
    const users = readOnly().selectFrom('users').selectAll()
    await expect(users.where('username', '=', 'a\0b').execute()).rejects.toThrow(UnstorableText)
    await expect(users.orderBy('missing' as 'id').execute()).rejects.toThrow('missing')
    expect(await users.execute()).toEqual([])
  })
})
