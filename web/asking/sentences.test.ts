import { describe, expect, test } from 'vitest'
import { endOfSentences, spoken } from './sentences.ts'

function spokenPart(text: string, from = 0): string {
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
  ])('of %j that are complete are %j', (text, complete) => expect(spokenPart(text)).toBe(complete))
  test('are not told twice', () => {
    const text = '一。二。三'
    expect(spokenPart(text, endOfSentences('一。', 0))).toBe('二。')
    expect(endOfSentences(text, 4)).toBe(4)
  })
  test('that never end are told in parts of bounded length, and code is not parted', () => {
    for (const mark of ['\\', '&amp;', '字', 'word ', '$a$ '])
      expect(endOfSentences(`x${mark.repeat(300_000)}`, 0)).toBe(20_000)
    expect(endOfSentences(`一。\n\n\`\`\`\n${'a. b\n'.repeat(10_000)}`, 0)).toBe('一。\n\n'.length)
  })
  test('end before code that is still being written', () => {
    expect(spokenPart('看：\n```js\nconst a = 1\n')).toBe('看：\n')
    expect(spokenPart('看：\n```js\na\n```\n好。')).toBe('看：\n```js\na\n```\n好。')
  })
  test('end before a formula that is still being written, and not within one', () => {
    expect(spokenPart('积分：\n\\[\na = b.\n')).toBe('积分：\n')
    expect(spokenPart('积分：\n\\[\na = b.\n\\')).toBe('积分：\n')
    expect(spokenPart('即 $$\na.\nb\n$$ 与')).toBe('')
    expect(spokenPart('即 $$\na.\nb\n$$ 这样。还')).toBe('即 $$\na.\nb\n$$ 这样。')
    expect(spokenPart('半个 \\(a\n\n新的一段。还')).toBe('半个 \\(a\n\n新的一段。')
  })
})

const spokenHere = (text: string) => spoken(text, { code: '代码', formula: '公式' })

describe('a text read aloud', () => {
  test('has no marks', () =>
    expect(spokenHere('## 题\n\n- **重** `x` [链接](https://example.org)\n')).toBe('题 - 重 x 链接'))
  test('does not spell a picture', () =>
    expect(spokenHere(`看。![](data:image/png;base64,${'A'.repeat(100_000)}) 好`)).toBe('看。 好'))
  test('names code and does not spell it', () => {
    expect(spokenHere('前\n```js\nlet a\n```\n后')).toBe('前 代码 后')
    expect(spokenHere('前\n```js\nlet a')).toBe('前 代码')
    expect(spokenHere('> ```\n> let a\n> ```\n> 后')).toBe('代码 后')
  })
  test('names a formula, and says one that is words already', () => {
    expect(spokenHere('积分 \\[\n\\int_{-\\infty}^{\\infty} x\n\\] 与 $x_1$，$$\na^2\n$$ 或 \\(\\alpha')).toBe(
      '积分 公式 与 公式 ， 公式 或 公式',
    )
    expect(spokenHere('设 $x$ 与 \\(y = 1\\)。')).toBe('设 x 与 y = 1。')
  })
  test('keeps its prices', () => expect(spokenHere('从 $5 到 $10，或 \\$3')).toBe('从 $5 到 $10，或 $3'))
  test('says the cells of a table and not its lines', () => {
    expect(spokenHere('| 用途 | 占比 |\n| :-- | --: |\n| **空调** | 25% |\n后')).toBe('用途, 占比; 空调, 25%; 后')
  })
  test.each(['\\[', '\\(', '$$ ', '$a', '`', '```\n', '[', '[a](', '![', '| ', '-', '> ', '. '])(
    'of nothing but %j takes no longer the more there are',
    mark => {
      const text = mark.repeat(300_000) // quadratic time would not end before the deadline of a test
      expect(spokenHere(text).length).toBeLessThanOrEqual(text.length)
      expect(endOfSentences(text, 0)).toBeLessThanOrEqual(text.length)
    },
  )
})
