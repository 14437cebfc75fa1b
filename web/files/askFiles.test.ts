import { describe, expect, test } from 'vitest'
import { AskRequest } from '#contract/asking.ts'
import { isPictureType } from '#contract/files.ts'
import type { Message } from '#contract/messages.ts'
import { acceptOf, askFiles, attachmentOf, filesOfQuestion, isReadBy, typeOf } from './askFiles.ts'
import { anUploadedFile } from './builders.testing.ts'

/** Models that get pictures as parts of a question, and that do not. */
const SEEING = { takes_pictures: true }
const READING = { takes_pictures: false }

const sheet = { name: 'a.csv', id: 'file-a1', size: 3, mimeType: 'text/csv', height: null, width: null }
const photo = { name: 'b.png', id: 'file-b2', size: 9, mimeType: 'image/png', height: 20, width: 30 }
const part = {
  content_type: 'image_asset_pointer',
  asset_pointer: 'file-service://file-b2',
  size_bytes: 9,
  width: 30,
  height: 20,
} as const

const asked = (content: Message['content'], attachments = [sheet, photo]): Pick<Message, 'content' | 'metadata'> => ({
  content,
  metadata: { source: 'openai_web', attachments },
})

describe('the files of an ask', () => {
  test('are attachments; for gpt_4 pictures are also parts of the question', () => {
    expect(askFiles(SEEING, [sheet, photo])).toEqual({
      openai_web_attachments: [sheet, photo],
      openai_web_multimodal_image_parts: [part],
    })
    expect(askFiles(READING, [sheet, photo])).toEqual({ openai_web_attachments: [sheet, photo] })
  })
  test('are absent without files', () => {
    expect(askFiles(SEEING, [])).toEqual({})
  })
  test('match the contract', () => {
    const request = {
      source: 'openai_web',
      model: 'gpt_4',
      new_conversation: true,
      text_content: '看图',
      ...askFiles(SEEING, [sheet, photo]),
    }
    expect(AskRequest.parse(request)).toEqual(request)
  })
})

describe('the files of a question', () => {
  test('are sent again when it is edited, its pictures unchanged', () => {
    const seen = { ...part, metadata: { dalle: { prompt: '猫' } } }
    expect(filesOfQuestion(SEEING, asked({ content_type: 'multimodal_text', parts: [seen, '看图'] }))).toEqual({
      openai_web_attachments: [sheet, photo],
      openai_web_multimodal_image_parts: [seen],
    })
  })
  test('become pictures for a model that sees them', () => {
    expect(filesOfQuestion(SEEING, asked({ content_type: 'text', text: '看图' }))).toEqual({
      openai_web_attachments: [sheet, photo],
      openai_web_multimodal_image_parts: [part],
    })
  })
  test('are none for a text question', () => {
    expect(filesOfQuestion(SEEING, { content: { content_type: 'text', text: '几点了' }, metadata: null })).toEqual({})
  })
})

describe('an attachment', () => {
  test('has the name, type and size from the server', () => {
    expect(attachmentOf(anUploadedFile(), 'text/plain')).toEqual(sheet)
    expect(
      attachmentOf(anUploadedFile({ content_type: null, extra_info: { width: 30, height: 20 } }), 'image/png'),
    ).toMatchObject({ mimeType: 'image/png', width: 30, height: 20 })
  })
  test('is null while the upstream does not have the file', () => {
    expect(attachmentOf(anUploadedFile({ openai_web_info: null }), 'text/plain')).toBe(null)
  })
})

describe('the type of a file', () => {
  test('is by its extension, whatever type the system gives', () => {
    expect(typeOf({ name: 'main.ts', type: 'video/mp2t' })).toBe('text/x-typescript')
    expect(typeOf({ name: '说明.MD', type: '' })).toBe('text/markdown')
  })
  test('is the type from the browser without a known extension, else any', () => {
    expect(typeOf({ name: 'image', type: 'image/png' })).toBe('image/png')
    expect(typeOf({ name: 'data.constructor', type: '' })).toBe('application/octet-stream')
  })
})

describe('a model', () => {
  test('that sees pictures reads the types of the specification', () => {
    expect(['text/x-csharp', 'application/pdf', 'text/plain', 'image/webp'].every(type => isReadBy(SEEING, type))).toBe(
      true,
    )
    expect(['application/zip', 'image/svg+xml', 'text/csv'].some(type => isReadBy(SEEING, type))).toBe(false)
    expect(acceptOf(SEEING)).toMatch(/^\.cs,.*\.pptx,.*,image\/gif$/)
  })
  test('that runs code reads anything', () => {
    expect(isReadBy(READING, 'application/zip')).toBe(true)
    expect(acceptOf(READING)).toBe(undefined)
  })
})

test('an SVG is not a picture, since it may contain scripts', () => {
  expect(['image/png', 'image/jpeg', 'image/svg+xml'].map(isPictureType)).toEqual([true, true, false])
})
