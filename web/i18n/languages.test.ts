import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { fill, slotsOf } from './fill.ts'
import { LANGUAGE_ENTRIES } from './languages.ts'
import { zhCN } from './zh-CN.ts'
import { admin } from './zh-CN/admin.ts'
import { account } from './zh-CN/account.ts'
import { attachments } from './zh-CN/attachments.ts'
import { audit } from './zh-CN/audit.ts'
import { lending } from './zh-CN/lending.ts'
import { instructions } from './zh-CN/instructions.ts'
import { keys } from './zh-CN/keys.ts'
import { shares } from './zh-CN/shares.ts'
import { gifts } from './zh-CN/gifts.ts'
import { transfer } from './zh-CN/transfer.ts'
import { usage } from './zh-CN/usage.ts'
import { notices } from './zh-CN/notices.ts'
import { oversight } from './zh-CN/oversight.ts'

/** Texts with other words for administrators. */
const ADVISED = Object.keys(admin).filter(key => Object.hasOwn(zhCN, key)).length
/** What is mended on the machine. */
const IN_NO_PAGE = /^errors\.(?:disk|database)/

/** Texts for everybody and for administrators: of a key that both have, either is tested. Each with its original. */
const spoken = await Promise.all(
  LANGUAGES.map(async language => {
    const { load, areas } = LANGUAGE_ENTRIES[language]
    const parts = [
      { texts: await load(), originals: zhCN },
      { texts: await areas.account(), originals: account },
      { texts: await areas.keys(), originals: keys },
      { texts: await areas.attachments(), originals: attachments },
      { texts: await areas.instructions(), originals: instructions },
      { texts: await areas.transfer(), originals: transfer },
      { texts: await areas.shares(), originals: shares },
      { texts: await areas.gifts(), originals: gifts },
      { texts: await areas.usage(), originals: usage },
      { texts: await areas.audit(), originals: audit },
      { texts: await areas.lending(), originals: lending },
      { texts: await areas.oversight(), originals: oversight },
      { texts: await areas.notices(), originals: notices },
      { texts: await areas.admin(), originals: admin },
    ]
    return { language, parts, entries: parts.flatMap(withOriginals) }
  }),
)

type Texts = Readonly<Record<string, string>>

function withOriginals({ texts, originals }: { texts: Texts; originals: Texts }): [string, string, string][] {
  return Object.entries(texts).map(([key, text]) => [key, text, originals[key] ?? ''])
}

describe.each(spoken)('$language', ({ language, parts, entries }) => {
  const texts = new Map(entries.map(([key, text]) => [key, text]))

  test.each(parts)('has the same keys as the default language', ({ texts: own, originals }) => {
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(originals).toSorted())
  })
  test('has no empty text', () => {
    expect(entries.filter(([, text]) => text.trim() === '')).toEqual([])
  })
  test('fills the slots of the default language, all of them and no other', () => {
    expect(entries.filter(([, text, original]) => slotsOf(text).join() !== slotsOf(original).join())).toEqual([])
  })
  test('leaves no slot open when it is filled', () => {
    const open = entries.filter(([, text]) =>
      /[{}]/.test(fill(text, Object.fromEntries(slotsOf(text).map(slot => [slot, 2])), language)),
    )
    expect(open).toEqual([])
  })
  test('has words for every refusal', async () => {
    const { keeping, invitation, keys, signIn } = LANGUAGE_ENTRIES[language].areas
    const later = { ...(await keeping()), ...(await invitation()), ...(await keys()), ...(await signIn()) }
    const isMissing = (key: string) => !texts.has(`errors.${key}`) && !Object.hasOwn(later, `errors.${key}`)
    expect(Object.keys(REFUSALS).filter(isMissing)).toEqual([])
  })
  test('calls what is to be done about thoughts without an answer as the button beside it is called', () => {
    expect(texts.get('errors.openai.thoughtsOnly')?.toLowerCase()).toContain(texts.get('ask.retry')?.toLowerCase())
  })
  test('sends administrators to the pages of their area, by their names, and not to an administrator', () => {
    const pages = ['admin.openai_settings', 'admin.user', 'admin.config'].map(
      key => texts.get(key) ?? expect.unreachable(key),
    )
    const advice = entries.filter(([key]) => Object.hasOwn(zhCN, key) && Object.hasOwn(admin, key)).slice(-ADVISED)
    expect(advice).toHaveLength(ADVISED)
    const named = advice.filter(([key, text]) => IN_NO_PAGE.test(key) || pages.some(name => text.includes(`“${name}”`)))
    expect(named).toEqual(advice)
    expect(advice.filter(([, text]) => /管理员|administrator|pentadbir/i.test(text))).toEqual([])
  })
})

test('of one thing English does not say several', () => {
  const ofOne = spoken
    .filter(({ language }) => language === 'en-US')
    .flatMap(({ entries }) =>
      entries.map(([, text]) => fill(text, Object.fromEntries(slotsOf(text).map(slot => [slot, 1])), 'en-US')),
    )
  // No plurals: “1 returns at”, “1 is hidden”, milliseconds.
  expect(ofOne.filter(text => /\b1 (?!(?:returns|is|ms)\b)[a-z]+s\b/.test(text))).toEqual([])
})

describe('a translated text', () => {
  test.each(spoken.filter(({ language }) => language !== 'zh-CN'))(
    'of $language is not the Chinese one',
    ({ entries }) => {
      expect(entries.filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([])
    },
  )
})
