import { describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { LANGUAGES } from '#contract/preferences.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { translatorOf } from '#web/i18n/useTranslate.ts'
import { zhCN } from '#web/i18n/zh-CN.ts'
import { attachments } from '#web/i18n/zh-CN/attachments.ts'
import { aFile, anUpload } from './builders.testing.ts'
import {
  addFiles,
  afterEvent,
  isUnderWay,
  readyAttachments,
  uploadsDisabledReason,
  type UploadState,
} from './uploadState.ts'

/** Models that get pictures as parts of a question, and that do not. */
const SEEING = { takes_pictures: true }
const READING = { takes_pictures: false }

const t = translatorOf('zh-CN', { ...zhCN, ...attachments })
const attachment = { name: 'a.csv', id: 'file-a', size: 3 }
const reason = { message: 'errors.timeout', values: null }

describe('an upload', () => {
  test('is uploaded, stored and ready', () => {
    const steps = [{ type: 'progress', share: 0.5 }, { type: 'sent' }, { type: 'stored', attachment }] as const
    const states = steps.reduce<UploadState[]>(
      (all, step) => [...all, afterEvent(all.at(-1) ?? { phase: 'waiting' }, step)],
      [],
    )
    expect(states).toEqual([{ phase: 'uploading', share: 0.5 }, { phase: 'storing' }, { phase: 'ready', attachment }])
  })
  test('may fail, and then be tried again', () => {
    const failed = afterEvent({ phase: 'uploading', share: 0.5 }, { type: 'failed', reason })
    expect(failed).toEqual({ phase: 'failed', reason })
    expect(afterEvent(failed, { type: 'again' })).toEqual({ phase: 'waiting' })
  })
  test.each<UploadState>([
    { phase: 'ready', attachment },
    { phase: 'refused', reason },
  ])('that is $phase ignores further events', state => {
    for (const event of [
      { type: 'progress', share: 1 },
      { type: 'sent' },
      { type: 'failed', reason },
      { type: 'again' },
    ] as const) {
      expect(afterEvent(state, event)).toBe(state)
    }
  })
  test('is under way until it is ready, failed or refused', () => {
    const states: UploadState[] = [
      { phase: 'waiting' },
      { phase: 'uploading', share: 1 },
      { phase: 'storing' },
      { phase: 'ready', attachment },
      { phase: 'failed', reason },
      { phase: 'refused', reason },
    ]
    expect(states.map(isUnderWay)).toEqual([true, true, true, false, false, false])
  })
  test('is an attachment once it is ready', () => {
    expect(
      readyAttachments([anUpload(aFile('b.txt')), anUpload(aFile('a.csv'), { state: { phase: 'ready', attachment } })]),
    ).toEqual([attachment])
  })
})

const names = (count: number, end: string) => Array.from({ length: count }, (_, at) => aFile(`${at}.${end}`))
const states = (files: File[], model = SEEING) =>
  addFiles(files, [], model).added.map(({ name, state }) => `${name} ${state.phase}`)

describe('added files', () => {
  test('wait to be uploaded', () => {
    expect(states([aFile('notes.txt'), aFile('photo.JPG')])).toEqual(['notes.txt waiting', 'photo.JPG waiting'])
  })
  test('are ten at most, with the present ones', () => {
    const present = names(4, 'txt').map(file => anUpload(file))
    const { added, beyond } = addFiles(names(8, 'md'), present, SEEING)
    expect([added.length, beyond]).toEqual([6, { files: 2, pictures: 0 }])
  })
  test('are four pictures at most for a model that sees them; the code interpreter counts them as files', () => {
    const { added, beyond } = addFiles([...names(6, 'png'), aFile('a.txt')], [], SEEING)
    expect([added.length, beyond]).toEqual([5, { files: 0, pictures: 2 }])
    expect(addFiles(names(6, 'png'), [], READING).added).toHaveLength(6)
  })
  test('of more than 512 MB are refused with the maximum', () => {
    expect(states([aFile('a.pdf', MAX_FILE_BYTES), aFile('b.pdf', MAX_FILE_BYTES + 1)])).toEqual([
      'a.pdf waiting',
      'b.pdf refused',
    ])
    expect(addFiles([aFile('b.pdf', MAX_FILE_BYTES + 1)], [], SEEING).added[0]?.state).toEqual({
      phase: 'refused',
      reason: { message: 'errors.fileTooLarge', values: { max_bytes: MAX_FILE_BYTES } },
    })
  })
  test('without content are refused in words', () => {
    expect(addFiles([aFile('a.png', 0)], [], SEEING).added[0]?.state).toEqual({
      phase: 'refused',
      reason: { message: 'errors.fileEmpty', values: null },
    })
  })
  test('that the model does not read are refused; the code interpreter reads anything', () => {
    expect(states([aFile('a.zip'), aFile('b.mp4', 3, 'video/mp4')])).toEqual(['a.zip refused', 'b.mp4 refused'])
    expect(states([aFile('a.zip')], READING)).toEqual(['a.zip waiting'])
  })
})

const ready: UploadState = { phase: 'ready', attachment: { name: 'x', id: 'file-x' } }
const failed: UploadState = { phase: 'failed', reason: { message: 'errors.timeout', values: null } }
const uploads = (...all: [string, UploadState][]) => all.map(([name, state]) => anUpload(aFile(name), { state }))

describe('a question with files', () => {
  test('waits until all have been uploaded', () => {
    expect(
      uploadsDisabledReason(
        uploads(['a.txt', { phase: 'uploading', share: 0.1 }], ['b.txt', { phase: 'waiting' }], ['c.txt', failed]),
        SEEING,
        t,
      ),
    ).toBe('正在上传 2 个文件，传完就能发送')
  })
  test('is not sent without a file that failed', () => {
    expect(uploadsDisabledReason(uploads(['a.txt', ready], ['c.txt', failed]), SEEING, t)).toBe(
      '有文件没传上去：再传一次，或者移除',
    )
  })
  test('says which files another model cannot read', () => {
    const pictures = uploads(...Array.from({ length: 5 }, (_, at): [string, UploadState] => [`${at}.png`, ready]))
    expect(uploadsDisabledReason(pictures, SEEING, t)).toBe('这个模型一次最多看 4 张图片，请移除几张')
    expect(uploadsDisabledReason(pictures, READING, t)).toBe(null)
    expect(uploadsDisabledReason(uploads(['a.zip', ready]), SEEING, t)).toBe(
      '这个模型不读“a.zip”，请移除它或换一个模型',
    )
  })
  test('may be sent when all are ready, and without files', () => {
    expect([uploadsDisabledReason([], SEEING, t), uploadsDisabledReason(uploads(['a.txt', ready]), SEEING, t)]).toEqual(
      [null, null],
    )
  })
  test.each(LANGUAGES)('gives its reason in %s, with the number', async language => {
    const { load, areas } = LANGUAGE_ENTRIES[language]
    const text = uploadsDisabledReason(
      uploads(['a.txt', { phase: 'waiting' }]),
      SEEING,
      translatorOf(language, { ...(await load()), ...(await areas.attachments()) }),
    )
    expect(text).toMatch(/1/)
  })
})
