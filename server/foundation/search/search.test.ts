import { expect, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import type { OpenDatabase } from '../database/open.ts'
import { searchIndex } from './search.ts'

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
  test('a letter is found as people type it, and a traditional character by the simplified one', async () => {
    const { find } = await searched('Die Straße ist lang', 'STRASSE', '我用繁體字寫信', '繁体字', 'ein Œuvre')
    for (const words of ['strasse', 'Straße', 'stras']) expect((await find(words)).toSorted()).toEqual([0, 1])
    for (const words of ['繁体字', '繁體字', '體']) expect((await find(words)).toSorted()).toEqual([2, 3])
    expect(await find('oeuvre')).toEqual([4])
  })
  test('all the words must be there, in any order', async () => {
    const { find } = await searched('sort a list in Python', 'Python 列表排序', 'a list of cities')
    expect(await find('python LIST')).toEqual([0])
    expect(await find('排序 python')).toEqual([1])
    expect(await find('python cities')).toEqual([])
  })
  test('a word is found by its beginning from three letters on', async () => {
    const { find } = await searched('pythonic', 'a typhoon')
    expect(await find('python')).toEqual([0])
    expect(await find('pyt')).toEqual([0])
    for (const words of ['py', 'thonic', 'pythonics']) expect(await find(words)).toEqual([])
  })
  test('parts of names and versions are found', async () => {
    const { find } = await searched(
      'The kubectl config lives in ~/.kube and the userName is set in version v0.11.3.',
      'MAX_RETRY_COUNT of isValid',
      'nothing',
    )
    for (const words of [
      'kube',
      'config',
      'user',
      'name',
      'usern',
      'username',
      '0.11',
      '0.11.3',
      'v0.11',
      '11.3',
      '11',
      'kubectl 0.11',
    ])
      expect(await find(words), words).toEqual([0])
    for (const words of ['retry', 'max_re', 'MAX_RETRY_COUNT', 'maxRetry', 'count max', 'valid'])
      expect(await find(words), words).toEqual([1])
    expect(await find('is')).toEqual([0, 1])
    for (const words of ['1.3', 'ser', '0.12', 'retry_max']) expect(await find(words), words).toEqual([])
  })
  test('scripts without spaces are found by any two characters, and by one', async () => {
    const { find } = await searched('統合テストのサーバーを再起動しました。', '서버를 다시 시작했습니다.', 'ภาษาไทยง่าย')
    for (const words of ['テスト', 'サーバー', 'ｻｰﾊﾞｰ', 'した', 'の']) expect(await find(words), words).toEqual([0])
    for (const words of ['서버', '시작', '다', '습니다 서버']) expect(await find(words), words).toEqual([1])
    for (const words of ['ไทย', 'ภาษา']) expect(await find(words), words).toEqual([2])
    expect(await find('バス')).toEqual([])
  })
  test('accents are found without and with them', async () => {
    const { find } = await searched('Un café à Đà Nẵng', 'cafe')
    for (const words of ['cafe', 'CAFÉ', 'cafe\u0301']) expect((await find(words)).toSorted()).toEqual([0, 1])
    expect(await find('da nang')).toEqual([0])
  })
  test('emoji are found, whatever their colour', async () => {
    const { find } = await searched('Well done 👍🏽', 'Lift-off 👩🏻‍🚀 ❤️', '🇩🇪')
    expect(await find('👍')).toEqual([0])
    for (const words of ['🚀', '👩‍🚀', '❤', '❤️ lift']) expect(await find(words), words).toEqual([1])
    expect(await find('🇩🇪')).toEqual([2])
  })
  test('those that have the word whole come first, then those in which it only begins one or is a part', async () => {
    const { find } = await searched(
      'nameless',
      'userName',
      `a name, ${'and much else besides that is said here '.repeat(3)}`,
      'two names',
    )
    const found = await find('name')
    expect(found[0]).toBe(2)
    expect(found.slice(1).toSorted()).toEqual([0, 1, 3])
    expect((await find('name 1')).length).toBe(0)
  })
  test('a search text is words and never a pattern', async () => {
    const { find } = await searched(`it's 100% "safe": a & b, never`, 'nothing')
    for (const words of [
      `it's`,
      '100%',
      '"safe"',
      '"safe',
      'a & b',
      'a | b',
      '(a',
      'a*',
      'a <-> b',
      '-safe',
      ':*safe',
    ]) {
      expect(await find(words)).toEqual([0])
    }
    for (const words of ['terms:safe', 'NOT b', 'sa*', 'sa_e', 's%e', '^safest', `'`, '\\', '_', '~'])
      expect(await find(words), words).toEqual([])
    expect(await find('never')).toEqual([0])
  })
  test('a text without words finds nothing', async () => {
    const { find } = await searched('something')
    for (const words of ['', '  ', '%', '*', '"', '~', '\0', '\ud800', 'NEAR(', '…'])
      expect(await find(words)).toEqual([])
  })
  test('a shorter message with the word comes first', async () => {
    const { find } = await searched(
      `fairness ${'and much else besides that is said here '.repeat(30)} twice two three`,
      'fairness first',
    )
    expect(await find('fairness')).toEqual([1, 0])
  })
  test('of equals the one that was said last comes first, whenever it was stored', async () => {
    const { find, say } = await searched('one word')
    await say(1, 'two word', 3_000)
    await say(2, 'three word', 2_000)
    expect(await find('word')).toEqual([1, 2, 0])
  })
  test('a query of any kind of two hundred characters is answered', async () => {
    const { find } = await searched('something')
    for (const words of ['"', '(', '*', '北京', 'a ', 'NEAR(', '~', "'", '\\', 'x_', '1.', '👍', '\ud800'])
      expect(await find(words.repeat(200 / words.length)), words).toEqual([])
    expect(await find(Array.from({ length: 50 }, () => 'som').join(' '))).toEqual([0])
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
    const { find, say } = await searched('the first version')
    await say(0, 'the second version')
    expect(await find('first')).toEqual([])
    expect(await find('second')).toEqual([0])
  })
  test('a removed conversation is forgotten', async () => {
    const { find, remove } = await searched('once upon a time')
    await remove()
    expect(await find('once')).toEqual([])
  })
  test('a deleted conversation is forgotten by itself', async () => {
    const { find, database, say } = await searched('once upon a time')
    const conversation = await database.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
    await database.deleteFrom('conversations').execute()
    await database.insertInto('conversations').values(conversation).execute()
    expect(await find('once')).toEqual([])
    await say(1, 'twice')
    expect(await find('twice')).toEqual([1])
  })
  test('a text of any size is taken', async () => {
    const characters = Array.from({ length: 700_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000) + (index >> 16)),
    )
    const { find } = await searched(`beginning ${characters.join('')}`, 'x'.repeat(3_000_000))
    expect(await find('beginning')).toEqual([0])
    expect(await find('x'.repeat(100))).toEqual([1])
  })
  test('of several that are added together each is found by its own words', async () => {
    const {
      index,
      find,
      open: { transaction },
      conversation_id,
    } = await searched('one', 'two', 'three')
    await transaction(trx =>
      index.add(
        trx,
        ['uno', 'dos', '三个'].map((text, at) => ({ conversation_id, message_id: `${at}`, text })),
      ),
    )
    expect(await Promise.all(['uno', 'dos', '三', 'one', 'two'].map(word => find(word)))).toEqual([
      [0],
      [1],
      [2],
      [],
      [],
    ])
  })
  test('what is undone is not found', async () => {
    const {
      find,
      open: { transaction },
      index,
      conversation_id,
    } = await searched('kept')
    await expect(
      transaction(async trx => {
        await index.add(trx, [{ conversation_id, message_id: '7', text: 'lost' }])
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await find('lost')).toEqual([])
  })
})

/** One user's conversation with these messages, whose ids are their places in the list. */
async function searching(open: OpenDatabase, texts: string[]) {
  const { database, transaction } = open
  const index = searchIndex(open.engine)
  const owner = await storedUser(database)
  const conversation_id = await storedConversation(database, { user_id: owner })
  const say = (position: number, text: string, create_time = position) =>
    transaction(async trx => {
      const message_id = String(position)
      await trx
        .insertInto('messages')
        .values({ conversation_id, message_id, position, role: 'user', create_time })
        .onConflict(known => known.doNothing())
        .execute()
      await index.add(trx, [{ conversation_id, message_id, text }])
    })
  for (const [position, text] of texts.entries()) await say(position, text)
  return {
    open,
    database,
    index,
    say,
    conversation_id,
    remove: () =>
      transaction(trx =>
        index.remove(
          trx,
          conversation_id,
          texts.map((_, storage) => String(storage)),
        ),
      ),
    async find(words: string, limit = 10, user_id = owner) {
      const found = await index.find(database, { conversation_ids_of_user: user_id, words, limit })
      return found.map(({ message_id }) => Number(message_id))
    },
  }
}
