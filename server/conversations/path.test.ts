import { describe, expect, test } from 'vitest'
import { aMessage, words } from '#testing/messages.ts'
import { newId } from '#server/foundation/ids.ts'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { messageStore, messagePath } from './messageStore.ts'
import { conversationStore } from './store.ts'

/** Answers are called `a…`, thoughts `at…`, all others are questions. */
const message = (id: string, parent: string | null) =>
  aMessage({
    id,
    role: id.startsWith('a') ? 'assistant' : 'user',
    parent,
    create_time: '2026-01-01T00:00:00.000Z',
    content: id.startsWith('at') ? { content_type: 'thoughts', text: id, seconds: 1 } : words(id),
  })

eachDatabase((_name, open) => {
  /** A conversation of these messages, each with its parent; gives what leads to one of them. */
  async function conversation(...messages: [id: string, parent: string | null][]) {
    const { database } = await open()
    const conversation_id = await storedConversation(database, { user_id: await storedUser(database) })
    await messageStore(database).add(
      conversation_id,
      messages.map(each => message(...each)),
    )
    const pathTo = async (id: string, count = 1000) =>
      (await messagePath(database, conversation_id, id, count)).map(row => row.message_id)
    return { database, conversation_id, pathTo }
  }

  describe('what leads to a message', () => {
    test('is its ancestors from the root on, and not the branches beside them', async () => {
      const { pathTo } = await conversation(['q', null], ['a', 'q'], ['b', 'q'], ['q2', 'b'], ['a2', 'q2'])
      expect(await pathTo('a2')).toEqual(['q', 'b', 'q2', 'a2'])
      expect(await pathTo('a')).toEqual(['q', 'a'])
    })
    test('is at most so many messages, the latest', async () => {
      const { pathTo } = await conversation(['1', null], ['2', '1'], ['3', '2'], ['4', '3'])
      expect(await pathTo('4', 1)).toEqual(['4'])
      expect(await pathTo('4', 3)).toEqual(['2', '3', '4'])
    })
    test('has no thoughts, which count for nothing', async () => {
      const { pathTo } = await conversation(
        ['q', null],
        ['at', 'q'],
        ['a', 'at'],
        ['q2', 'a'],
        ['at2', 'q2'],
        ['a2', 'at2'],
      )
      expect(await pathTo('a2')).toEqual(['q', 'a', 'q2', 'a2'])
      expect(await pathTo('a2', 3)).toEqual(['a', 'q2', 'a2'])
    })
    test('reaches as far as the question, however few messages are wanted', async () => {
      const { pathTo } = await conversation(['q', null], ['a', 'q'], ['q2', 'a'], ['a2', 'q2'], ['a3', 'a2'])
      expect(await pathTo('a3', 1)).toEqual(['q2', 'a2', 'a3'])
      expect(await pathTo('a3', 3)).toEqual(['q2', 'a2', 'a3'])
      expect(await pathTo('q2', 1)).toEqual(['q2'])
    })
    test('ends at a message that is not there, and after so many steps of a cycle', async () => {
      const { pathTo } = await conversation(
        ['a', 'gone'],
        ['b', 'a'],
        ['x', 'y'],
        ['y', 'x'],
        ['ax', 'ay'],
        ['ay', 'ax'],
      )
      expect(await pathTo('b')).toEqual(['a', 'b'])
      expect(await pathTo('else')).toEqual([])
      expect((await pathTo('x', 5)).length).toBeLessThanOrEqual(5)
      expect((await pathTo('ax', 5)).length).toBeLessThanOrEqual(1_000)
    })
    test('never leaves the conversation, whatever ids another one has', async () => {
      const { database, conversation_id, pathTo } = await conversation(['own', 'foreign'])
      const other = await storedConversation(database, { user_id: await storedUser(database) })
      await messageStore(database).add(other, [message('foreign', null)])
      expect(await pathTo('own')).toEqual(['own'])
      expect(await messagePath(database, conversation_id, 'foreign', 10)).toEqual([])
    })
  })

  describe('messages', () => {
    test('keep the order in which they came, also those that came together', async () => {
      const { database, conversation_id } = await conversation(['1', null], ['2', '1'], ['3', '2'])
      await messageStore(database).add(conversation_id, [message('4', '3'), message('5', '4')])
      const rows = await messageStore(database).listOf(conversation_id)
      expect(rows.map(row => row.message_id)).toEqual(['1', '2', '3', '4', '5'])
      expect(await messageStore(database).size(conversation_id)).toMatchObject({ messages: 5 })
    })
    test('of one id may be in two conversations, and are told apart', async () => {
      const { database, conversation_id } = await conversation(['same', null])
      const other = await storedConversation(database, {
        user_id: await storedUser(database),
        conversation_id: newId(),
      })
      await messageStore(database).add(other, [message('same', null)])
      expect((await messageStore(database).find(other, 'same'))?.conversation_id).toBe(other)
      await conversationStore(database).remove(other)
      expect(await messageStore(database).find(conversation_id, 'same')).toBeDefined()
      expect(await messageStore(database).find(other, 'same')).toBe(undefined)
    })
  })
})
