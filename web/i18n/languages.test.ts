import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { fill, slotsOf } from './fill.ts'
import { LANGUAGE_ENTRIES } from './languages.ts'
import { zhCN } from './zh-CN.ts'
import { admin } from './zh-CN/admin.ts'

const spoken = await Promise.all(
  LANGUAGES.map(async language => {
    const { load, loadAdmin } = LANGUAGE_ENTRIES[language]
    return { language, texts: { ...(await load()), ...(await loadAdmin()) } }
  }),
)

const originals: Record<string, string> = { ...zhCN, ...admin }

describe.each(spoken)('$language', ({ language, texts }) => {
  const entries = Object.entries(texts)

  test('has the same keys as the default language', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(originals).toSorted())
  })
  test('has no empty text', () => {
    expect(entries.filter(([, text]) => text.trim() === '')).toEqual([])
  })
  test('fills the slots of the default language, all of them and no other', () => {
    expect(entries.filter(([key, text]) => slotsOf(text).join() !== slotsOf(originals[key] ?? '').join())).toEqual([])
  })
  test('leaves no slot open when it is filled', () => {
    const open = entries.filter(([, text]) =>
      /[{}]/.test(fill(text, Object.fromEntries(slotsOf(text).map(slot => [slot, 2])), language)),
    )
    expect(open).toEqual([])
  })
  test('has words for every refusal', () => {
    expect(Object.keys(REFUSALS).filter(key => !Object.hasOwn(texts, `errors.${key}`))).toEqual([])
  })
  test('calls what is to be done about thoughts without an answer as the button beside it is called', () => {
    expect(texts['errors.openai.thoughtsOnly'].toLowerCase()).toContain(texts['ask.retry'].toLowerCase())
  })
})

test('of one thing English does not say several', () => {
  const ofOne = spoken
    .filter(({ language }) => language === 'en-US')
    .flatMap(({ texts }) =>
      Object.values(texts).map(text => fill(text, Object.fromEntries(slotsOf(text).map(slot => [slot, 1])), 'en-US')),
    )
  // No plurals: “1 returns at”, “1 is hidden”, milliseconds.
  expect(ofOne.filter(text => /\b1 (?!(?:returns|is|ms)\b)[a-z]+s\b/.test(text))).toEqual([])
})

describe('a translated text', () => {
  test.each(spoken.filter(({ language }) => language !== 'zh-CN'))(
    'of $language is not the Chinese one',
    ({ texts }) => {
      expect(Object.entries(texts).filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
    },
  )
})
