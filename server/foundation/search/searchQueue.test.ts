import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '#server/foundation/logging.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import type { OpenDatabase } from '../database/open.ts'
import { searchIndex } from './search.ts'
import { openSearchQueue } from './searchQueue.ts'

const log = openLog('WARNING')

eachDatabase((_, open) => {
  test('a queued message is found when the queue has been emptied, and not before', async () => {
    const { store, queue, find, left } = await queueing(await open())
    await store('one', 'a remarkable answer')
    expect([await find('remarkable'), await left()]).toEqual([0, 1])
    await queue.flush()
    expect([await find('remarkable'), await left()]).toEqual([1, 0])
  })
  test('the queue is emptied by itself once it was woken', async () => {
    const { store, queue, find, left } = await queueing(await open())
    for (let index = 0; index < 25; index += 1) await store(`message ${index}`, 'remarkable')
    queue.wake()
    await expect.poll(left).toBe(0)
    expect(await find('remarkable')).toBe(25)
  })
  test('what a process left behind is indexed by the next one', async () => {
    const database = await open()
    const { store, queue, find } = await queueing(database)
    await store('one', 'remarkable')
    await queue.close()
    await openSearchQueue({ open: database, log }).flush()
    expect(await find('remarkable')).toBe(1)
  })
  test('two processes index each message once', async () => {
    const database = await open()
    const { store, queue, find, left } = await queueing(database)
    for (let index = 0; index < 30; index += 1) await store(`message ${index}`, 'remarkable')
    const other = openSearchQueue({ open: database, log })
    await Promise.all([queue.flush(), other.flush()])
    expect([await find('remarkable'), await left()]).toEqual([30, 0])
  })
  test('a message that is stored again with other words is found by these', async () => {
    const { store, queue, find } = await queueing(await open())
    await store('one', 'remarkable')
    await queue.flush()
    await store('one', 'astonishing')
    await queue.flush()
    expect([await find('remarkable'), await find('astonishing')]).toEqual([0, 1])
  })
  test('a message that was withdrawn meanwhile is not indexed', async () => {
    const { store, queue, find, remove, left } = await queueing(await open())
    await store('one', 'remarkable')
    await remove('one')
    expect(await left()).toBe(0)
    await queue.flush()
    expect(await find('remarkable')).toBe(0)
  })
  test('a conversation that was deleted meanwhile leaves nothing in the queue', async () => {
    const { store, queue, deleteConversation, left } = await queueing(await open())
    await store('one', 'remarkable')
    await deleteConversation()
    expect(await left()).toBe(0)
    await queue.flush()
  })
})

async function queueing(open: OpenDatabase) {
  const { database, transaction, engine } = open
  const user_id = await storedUser(database)
  const conversation_id = await storedConversation(database, { user_id })
  const queue = openSearchQueue({ open, log })
  onTestFinished(() => queue.close())
  const index = searchIndex(engine)
  return {
    queue,
    store: (message_id: string, text: string) =>
      transaction(async trx => {
        const content = { content_type: 'text', text }
        await trx
          .insertInto('messages')
          .values({ conversation_id, message_id, position: 1, role: 'assistant', content, create_time: 5_000 })
          .onConflict(conflict => conflict.columns(['conversation_id', 'message_id']).doUpdateSet({ content }))
          .execute()
        await queue.add(trx, [{ conversation_id, message_id }])
      }),
    remove: (message_id: string) => transaction(trx => index.remove(trx, conversation_id, [message_id])),
    deleteConversation: () =>
      database.deleteFrom('conversations').where('conversation_id', '=', conversation_id).execute(),
    find: async (words: string) =>
      (await index.find(database, { conversation_ids_of_user: user_id, words, limit: 1 }))[0]?.total ?? 0,
    left: async () => (await database.selectFrom('search_queue').select('id').execute()).length,
  }
}
