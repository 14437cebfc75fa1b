import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/preferences.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { translatorOf } from '#web/i18n/useTranslate.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import { aFile, anUpload } from './builders.testing.ts'
import { filesHindrance } from './filesHindrance.ts'
import type { UploadState } from './uploadState.ts'

const t = translatorOf('zh-CN', zhCN)
const ready: UploadState = { phase: 'ready', attachment: { name: 'x', id: 'file-x' } }
const failed: UploadState = { phase: 'failed', reason: { message: 'errors.timeout', values: null } }
const uploads = (...all: [string, UploadState][]) => all.map(([name, state]) => anUpload(aFile(name), { state }))

describe('a question with files', () => {
  test('waits until all have been uploaded', () => {
    expect(
      filesHindrance(
        uploads(['a.txt', { phase: 'uploading', share: 0.1 }], ['b.txt', { phase: 'waiting' }], ['c.txt', failed]),
        'gpt_4',
        t,
      ),
    ).toBe('正在上传 2 个文件，传完就能发送')
  })
  test('is not sent as if one that failed were there', () => {
    expect(filesHindrance(uploads(['a.txt', ready], ['c.txt', failed]), 'gpt_4', t)).toBe(
      '有文件没传上去：再传一次，或者移除',
    )
  })
  test('says what another model cannot do with them', () => {
    const pictures = uploads(...Array.from({ length: 5 }, (_, at): [string, UploadState] => [`${at}.png`, ready]))
    expect(filesHindrance(pictures, 'gpt_4', t)).toBe('这个模型一次最多看 4 张图片，请移除几张')
    expect(filesHindrance(pictures, 'gpt_4_code_interpreter', t)).toBe(null)
    expect(filesHindrance(uploads(['a.zip', ready]), 'gpt_4', t)).toBe('这个模型不读“a.zip”，请移除它或换一个模型')
  })
  test('may go when there is nothing to wait for', () => {
    expect([filesHindrance([], 'gpt_4', t), filesHindrance(uploads(['a.txt', ready]), 'gpt_4', t)]).toEqual([
      null,
      null,
    ])
  })
  test.each(LANGUAGES)('says so in %s, with the number', async language => {
    const text = filesHindrance(
      uploads(['a.txt', { phase: 'waiting' }]),
      'gpt_4',
      translatorOf(language, await LANGUAGE_ENTRIES[language].load()),
    )
    expect(text).toMatch(/1/)
  })
})
