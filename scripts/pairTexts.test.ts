import { describe, expect, test } from 'vitest'
import { pairTexts } from './pairTexts.ts'

const NAME = '\uE000\uE001'

describe('the same markup in two languages', () => {
  test('gives what each text is in the other', () => {
    expect(pairTexts('<p>好</p><b>再见</b>', '<p>Good</p><b>Bye</b>', NAME)).toEqual({ 好: 'Good', 再见: 'Bye' })
  })
  test('gives what is read to somebody', () => {
    expect(
      pairTexts(
        '<i aria-label="关" placeholder="写" title="题" data-tip="提"></i>',
        '<i aria-label="Off" placeholder="Write" title="Title" data-tip="Tip"></i>',
        NAME,
      ),
    ).toEqual({ 关: 'Off', 写: 'Write', 题: 'Title', 提: 'Tip' })
  })
  test('leaves out what both say, and what names somebody', () => {
    expect(
      pairTexts(`<p>Chat Commons</p><h1>${NAME}，早</h1>`, `<p>Chat Commons</p><h1>Morning, ${NAME}</h1>`, NAME),
    ).toEqual({})
  })
  test('gives texts as they are read, not as they are written in markup', () => {
    expect(pairTexts('<p>甲 &amp; 乙</p>', '<p>A &lt; B&#x27;s</p>', NAME)).toEqual({ '甲 & 乙': "A < B's" })
  })
  test('may not be more different than that', () => {
    expect(() => pairTexts('<p>好</p>', '<p>Good</p><p>more</p>', NAME)).toThrow(/differs/)
  })
  test('may not say one thing in two ways', () => {
    expect(() => pairTexts('<p>新</p><b>新</b>', '<p>New</p><b>Fresh</b>', NAME)).toThrow(/both "New" and "Fresh"/)
  })
})
