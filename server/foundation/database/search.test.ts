import { describe, expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import type { OpenDatabase } from './open.ts'
import { grams, searchIndex } from './search.ts'

describe('grams', () => {
  test.each([
    ['a run of Han characters becomes overlapping pairs', '北京大学', '北京 京大 大学'],
    ['a single Han character stays single', '我 和 you', '我 和 you'],
    ['other words stay whole', 'Streaming replies, quickly!', 'streaming replies quickly'],
    ['a word of two scripts is taken apart where they meet', 'GPT模型4号机', 'gpt 模型 4 号机'],
    ['forms of the same character are one', 'ＦＵＬＬ　ﬁne ㈱', 'full fine 株'],
    ['characters beyond the basic plane are not cut', '𠮷野家', '𠮷野 野家'],
    ['accents stay on their letters, however they were written', 'cafe\u0301', 'café'],
    ['signs are no words', `"' & | ! * ( ) : <-> % _ \\ NEAR/`, 'near'],
    ['a NUL and half a surrogate pair are no words', 'a\0b \ud83d c', 'a b c'],
    ['a text without words has none', '👍 …', ''],
  ])('%s', (_, text, expected) => expect(grams(text)).toBe(expected))
})

eachDatabase((_, open) => {
  const searched = async (...texts: string[]) => searching(await open(), texts)

  test('a two-character Chinese word is found inside a sentence', async () => {
    const { find } = await searched('今天我们去北京大学参观', '今天天气很好')
    expect(await find('北京')).toEqual([0])
    expect(await find('大学')).toEqual([0])
    expect(await find('今天')).toEqual([1, 0])
  })
  test('a single Chinese character is found wherever it stands', async () => {
    const { find } = await searched('学生', '大学', '大学生', '大海')
    expect((await find('学')).toSorted()).toEqual([0, 1, 2])
  })
  test('all the words must be there, in any order', async () => {
    const { find } = await searched('sort a list in Python', 'Python 列表排序', 'a list of cities')
    expect(await find('python LIST')).toEqual([0])
    expect(await find('排序 python')).toEqual([1])
    expect(await find('python cities')).toEqual([])
  })
  test('a word is found whole, not by its beginning', async () => {
    const { find } = await searched('pythonic')
    expect(await find('python')).toEqual([])
  })
  test('a search text is words and never a pattern', async () => {
    const { find } = await searched(`it's 100% "safe": a & b, never`, 'nothing')
    for (const words of [`it's`, '100%', '"safe"', '"safe', 'a & b', 'a | b', '(a', 'a*', 'a <-> b', '-safe', ':*safe']) {
      expect(await find(words)).toEqual([0])
    }
    for (const words of ['grams:safe', 'NOT b', 'saf*', 'sa_e', 's%e', '^safest', `'`, '\\', '_']) expect(await find(words)).toEqual([])
    expect(await find('never')).toEqual([0])
  })
  test('a text without words finds nothing', async () => {
    const { find } = await searched('something')
    for (const words of ['', '  ', '%', '*', '👍']) expect(await find(words)).toEqual([])
  })
  test('a shorter message with the word comes first', async () => {
    const { find } = await searched(`fairness ${'and much else besides that is said here '.repeat(30)} twice two three`, 'fairness first')
    expect(await find('fairness')).toEqual([1, 0])
  })
  test('of equals the one that was said last comes first, whenever it was stored', async () => {
    const { find, said } = await searched('one word', 'two word', 'three word')
    await said(1, 3_000)
    await said(0, 2_000)
    await said(2, 1_000)
    expect(await find('word')).toEqual([1, 0, 2])
  })
  test('no more are given than asked for', async () => {
    const { find } = await searched('one word', 'two word', 'three word')
    expect(await find('word', 2)).toHaveLength(2)
  })
  test("nobody finds anything in another's conversation", async () => {
    const { find, database } = await searched('secret plan')
    const stranger = await storedUser(database)
    expect(await find('secret', 10, stranger)).toEqual([])
  })
  test('an invalid conversation is not found', async () => {
    const { find, database } = await searched('hidden')
    await database.updateTable('conversations').set({ is_valid: false }).execute()
    expect(await find('hidden')).toEqual([])
  })
  test('a message added again is found by its new text only', async () => {
    const { find, add } = await searched('the first version')
    await add(0, 'the second version')
    expect(await find('first')).toEqual([])
    expect(await find('second')).toEqual([0])
  })
  test('a removed conversation is forgotten', async () => {
    const { find, remove } = await searched('once upon a time')
    await remove()
    expect(await find('once')).toEqual([])
  })
  test('a deleted conversation is forgotten by itself', async () => {
    const { find, database, add } = await searched('once upon a time')
    const conversation = await database.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
    await database.deleteFrom('conversations').execute()
    await database.insertInto('conversations').values(conversation).execute()
    expect(await find('once')).toEqual([])
    await add(1, 'twice')
    expect(await find('twice')).toEqual([1])
  })
  test('a text of any size is taken', async () => {
    const characters = Array.from({ length: 700_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000) + (index >> 16)))
    const { find } = await searched(`beginning ${characters.join('')}`, 'x'.repeat(3_000_000))
    expect(await find('beginning')).toEqual([0])
    expect(await find('x'.repeat(100))).toEqual([1])
  })
  test('of several that are added together each is found by its own words', async () => {
    const { index, find, open: { transaction }, conversation_id } = await searched('one', 'two', 'three')
    await transaction(trx => index.add(trx, ['uno', 'dos', '三个'].map((text, place) => ({ conversation_id, message_id: `${place}`, text }))))
    expect(await Promise.all(['uno', 'dos', '三', 'one', 'two'].map(word => find(word)))).toEqual([[0], [1], [2], [], []])
  })
  test('what is undone is not found', async () => {
    const { find, open: { transaction }, index, conversation_id } = await searched('kept')
    await expect(transaction(async trx => {
      await index.add(trx, [{ conversation_id, message_id: '7', text: 'lost' }])
      throw new Error('undone')
    })).rejects.toThrow('undone')
    expect(await find('lost')).toEqual([])
  })
})

/** One user's conversation with these messages, whose ids are their places in the list. */
async function searching(open: OpenDatabase, texts: string[]) {
  const { database, transaction } = open
  const index = searchIndex(open.engine)
  const owner = await storedUser(database)
  const conversation_id = await storedConversation(database, { user_id: owner })
  const add = (place: number, text: string) => transaction(async trx => {
    const message_id = String(place)
    await trx.insertInto('messages').values({ conversation_id, message_id, position: place, role: 'user', create_time: place })
      .onConflict(known => known.doNothing()).execute()
    await index.add(trx, [{ conversation_id, message_id, text }])
  })
  for (const [place, text] of texts.entries()) await add(place, text)
  return {
    open, database, index, add, conversation_id,
    said: (place: number, create_time: number) =>
      database.updateTable('messages').set({ create_time }).where('message_id', '=', String(place)).execute(),
    remove: () => transaction(trx => index.remove(trx, conversation_id, texts.map((_, place) => String(place)))),
    async find(words: string, limit = 10, user_id = owner) {
      const found = await index.find(database, { conversation_ids_of_user: user_id, words, limit })
      return found.map(({ message_id }) => Number(message_id))
    },
  }
}
