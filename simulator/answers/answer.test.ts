import { describe, expect, test } from 'vitest'
import { answerTo, tokensOf, languageOf, titleFor } from './answer.ts'

describe('the language of an answer', () => {
  const cases = [
    ['如何用 Python 排序？', 'chinese'],
    ['How do I sort this?', 'english'],
    ['', 'english'],
  ] as const
  for (const [question, language] of cases) {
    test(`"${question}" is ${language}`, () => expect(languageOf(question)).toBe(language))
  }
})

describe('an answer', () => {
  test('repeats the question without its Markdown', () => {
    expect(answerTo('What is **this** [thing]?').join('')).toContain('**What is this thing?**')
  })
  test('treats the topics the question names', () => {
    expect(answerTo('Write a function in Python').join('')).toContain('```')
    expect(answerTo('Show me the formula').join('')).toMatch(/\$\$|\\\[/)
    expect(answerTo('Compare them').join('')).toMatch(/^\| |\n1\. /m)
  })
  test('in Chinese has bold that touches full-width marks', () => {
    expect(answerTo('解释一下').join('')).toContain('**“重点”（强调）**后文')
  })
  test('to a later question names the first one', () => {
    expect(answerTo('And then?', { first: 'Where do I start?' }).join('')).toContain('Where do I start?')
  })
  test('says that it is a demonstration', () => {
    expect(answerTo('Explain queues to me').join('')).toContain('demonstration')
  })
  for (const question of ['Explain', '解释一下']) {
    test(`to "${question}" can be exactly 20,000 tokens long, with every topic in it`, () => {
      const tokens = answerTo(question, { tokens: 20_000, seed: 3 })
      expect(tokens).toHaveLength(20_000)
      const text = tokens.join('')
      for (const piece of ['```', '$$', '|---|', '> ', '- [ ]', '](https://']) expect(text).toContain(piece)
      expect(text).not.toMatch(/\{(ts|python|roots|gauss)\}/)
    })
  }
})

describe('tokens', () => {
  test('joined are the text again', () => {
    const text = `${answerTo('混合 mixed', { tokens: 3_000 }).join('')}\r\n\t👩‍👩‍👧 naïve 한국어 \ud800 end `
    expect(tokensOf(text).join('')).toBe(text)
  })
  test('are word pieces, and one or two Han characters', () => {
    expect(tokensOf('Hello there, 你好世界吗')).toEqual(['Hello', ' there', ',', ' ', '你好', '世界', '吗'])
  })
  test('of an empty text are none', () => expect(tokensOf('')).toEqual([]))
})

describe('a title', () => {
  const cases = [
    ['Please explain `Array.sort` to me.', 'Array.sort to me'],
    ['## 请帮我写一封给老师的感谢信，谢谢！', '写一封给老师的感谢信，谢谢'],
    ['```js\n1\n```', 'New chat'],
    ['one two three four five six seven eight', 'One two three four five six'],
  ] as const
  for (const [question, title] of cases)
    test(`of "${question}" is "${title}"`, () => expect(titleFor(question)).toBe(title))
})
