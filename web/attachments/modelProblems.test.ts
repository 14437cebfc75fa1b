import { describe, expect, test } from 'vitest'
import { translatorOf } from '#web/i18n/useTranslate.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import { attachments as texts } from '#web/i18n/zh-CN/attachments.ts'
import { aDocument, aModel, aPicture } from './builders.testing.ts'
import { modelProblems } from './modelProblems.ts'
import { planned } from './weights.ts'

const t = translatorOf('zh-CN', { ...zhCN, ...texts })

const problems = (attachments: Parameters<typeof planned>[0], about: Parameters<typeof aModel>[0]) =>
  modelProblems(aModel(about), { plan: planned(attachments, 0, null, []), question: 0 }, t)

describe('a model', () => {
  test('that sees no pictures cannot take one, and says so', () => {
    expect(problems([aPicture()], { takes_pictures: false })).toEqual(['看不到图片'])
  })
  test('of which nobody knows is offered', () => {
    expect(problems([aPicture()], { takes_pictures: null })).toEqual([])
  })
  test('takes the text of documents in any case, as far as it has room', () => {
    expect(problems([aDocument({ tokens: 900 })], { takes_files: false, context_length: 2_000 })).toEqual([])
    expect(problems([aDocument({ tokens: 9_000 })], { context_length: 2_000 })).toEqual(['上下文放不下 9k'])
  })
  test('that takes no files cannot take one as it is', () => {
    expect(problems([{ ...aDocument(), as: 'file' }], { takes_files: false })).toEqual(['只收文件里的文字'])
  })
})
