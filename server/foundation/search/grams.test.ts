import { describe, expect, test } from 'vitest'
import { grams, queryTerms } from './grams.ts'

describe('the terms of a text', () => {
  test.each([
    ['a run of Han characters becomes overlapping pairs, and its last character', '北京大学', '北京 京大 大学 学'],
    ['a single Han character stays single', '我 和 you', '我 和 you'],
    ['kana are pairs, the long vowel sign among them', 'サーバーを', 'サー ーバ バー ーを を'],
    ['kanji and kana of a word are one run', '食べる', '食べ べる る'],
    ['Hangul is pairs within its words', '서버를 다시', '서버 버를 를 다시 시'],
    ['so are Thai, Lao, Khmer and Myanmar', 'ไทย ລາວ ខ្មែរ', 'ไท ทย ย ລາ າວ ວ ខ្ ្ម មែ ែរ រ'],
    ['other words stay whole', 'Streaming replies, quickly!', 'streaming replies quickly'],
    ['a word of two scripts is taken apart where they meet', 'GPT模型4号机', 'gpt 模型 型 4 号机 机'],
    ['forms of the same character are one', 'ＦＵＬＬ　ﬁne ㈱ ﾊﾟﾝ', 'full fine 株 パン ン'],
    ['characters beyond the basic plane are not cut', '𠮷野家', '𠮷野 野家 家'],
    [
      'accents are left out, however they were written',
      'cafe\u0301 Café đường Ελλάδα ёлка İstanbul',
      'cafe duong ελλαδα елка istanbul',
    ],
    ['vowel signs that make the word stay', 'हिन्दी', 'हिन्दी'],
    ['points of vowels are left out', 'شَمْس שָׁלוֹם', 'شمس שלום'],
    ['a name is known by what begins in it', 'getUserName', 'getusername username~ name~'],
    ['and by its short parts', 'isValidId userID', 'isvalidid is~ validid~ id~ userid'],
    ['capitals are one part, their plural too', 'HTMLParser URLs', 'htmlparser parser~ urls'],
    [
      'underscores part a name and do not count in it',
      'max_retry_count __init__',
      'maxretrycount retrycount~ count~ init',
    ],
    ['a version is known from each of its numbers on', 'v0.11.3', 'v0.11.3 0.11.3~ 0~ 11.3~ 11~ 3~'],
    ['a dot that ends a sentence is no part of a number', 'It is 3.14.', 'it is 3.14 3~ 14~'],
    ['digits part a word', 'sha256 gpt4o', 'sha256 256~ gpt4o 4o~ 4~'],
    ['a random code has no parts', '550e8400e29b41d4', '550e8400e29b41d4'],
    ['a part that stands there as a word is known as the word only', 'user name userName', 'user name username'],
    ['emoji are terms, without colour of skin, and by what they are joined of', '👍🏽 ❤️ 👩‍🚀 🇩🇪', '👍 ❤ 👩‍🚀 👩~ 🚀~ 🇩🇪'],
    ['signs are no words', `"' & | ! * ( ) : <-> % _ \\ NEAR/ ~ .`, 'near'],
    ['a NUL and half a surrogate pair are no words', 'a\0b \ud83d c', 'a b c'],
    ['a text without words has none', '… — ?', ''],
  ])('%s', (_, text, expected) => expect(grams(text)).toEqual(expected.split(' ').filter(term => term !== '')))

  test('are no more than either database takes', () => {
    const text = Array.from({ length: 120_000 }, (_, index) => `word${index}`).join(' ')
    expect(Buffer.byteLength(grams(text).join(' '))).toBeLessThanOrEqual(1_000_000)
    expect(grams('x'.repeat(3_000_000))).toEqual(['x'.repeat(64)])
  })
})

describe('the terms of a query', () => {
  test('are beginnings from three letters on', () => {
    expect(queryTerms('kube id Δοκ 0.1', 10)).toEqual([
      { term: 'kube', kind: 'word' },
      { term: 'id', kind: 'short' },
      { term: 'δοκ', kind: 'word' },
      { term: '0.1', kind: 'word' },
    ])
  })
  test('are pairs, and a single character for all that begins with it', () => {
    expect(queryTerms('テスト 学 👩🏽‍🚀', 10)).toEqual([
      { term: 'テス', kind: 'pair' },
      { term: 'スト', kind: 'pair' },
      { term: '学', kind: 'character' },
      { term: '👩‍🚀', kind: 'short' },
    ])
  })
  test('are no more than wanted, each once', () => {
    expect(queryTerms('one ONE two three', 2).map(({ term }) => term)).toEqual(['one', 'two'])
    expect(queryTerms('北京'.repeat(100), 32).map(({ term }) => term)).toEqual(['北京', '京北'])
  })
})
