import { describe, expect, test } from 'vitest'
import { endOfSentences, spoken } from './sentences.ts'

function said(text: string, from = 0): string {
  return text.slice(from, endOfSentences(text, from))
}

describe('the sentences of a growing text', () => {
  test.each([
    ['今天晴。明天', '今天晴。'],
    ['他说：“走吧！”然后', '他说：“走吧！”'],
    ['It is 3.14 or so. The', 'It is 3.14 or so.'],
    ['See example.org', ''],
    ['Done.', ''],
    ['# 标题\n一段', '# 标题\n'],
    ['没有完', ''],
  ])('of %j that are complete are %j', (text, complete) => expect(said(text)).toBe(complete))
  test('are not told twice', () => {
    const text = '一。二。三'
    expect(said(text, endOfSentences('一。', 0))).toBe('二。')
    expect(endOfSentences(text, 4)).toBe(4)
  })
  test('end before code that is still being written', () => {
    expect(said('看：\n```js\nconst a = 1\n')).toBe('看：\n')
    expect(said('看：\n```js\na\n```\n好。')).toBe('看：\n```js\na\n```\n好。')
  })
})

describe('a text read aloud', () => {
  test('has no marks', () => expect(spoken('## 题\n\n- **重** `x` [链接](https://example.org)\n', '代码')).toBe('题 - 重 x 链接'))
  test('names code and does not spell it', () => {
    expect(spoken('前\n```js\nlet a\n```\n后', '代码')).toBe('前 代码 后')
    expect(spoken('前\n```js\nlet a', '代码')).toBe('前 代码')
  })
})
