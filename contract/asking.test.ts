import { describe, expect, test } from 'vitest'
import {
  AskRequest,
  AskResponse,
  attachmentsOfRequest,
  inconsistentField,
  type AskRequest as Request,
} from './asking.ts'
import { refusalKeyOf, REFUSALS } from './refusals.ts'

const ASK: Request = { source: 'openai_api', model: 'gpt_4', new_conversation: true, text_content: 'hello' }
const OLD = { new_conversation: false, conversation_id: crypto.randomUUID(), parent: crypto.randomUUID() }

describe('an ask request', () => {
  test('needs source, model, new_conversation and text_content', () => {
    expect(AskRequest.safeParse(ASK).success).toBe(true)
    for (const field of ['source', 'model', 'new_conversation', 'text_content'] as const) {
      expect(AskRequest.safeParse({ ...ASK, [field]: undefined }).success, field).toBe(false)
      expect(AskRequest.safeParse({ ...ASK, [field]: null }).success, field).toBe(false)
    }
  })
  test('may say nothing of the rest, or that it is null, as old clients do', () => {
    const rest = [
      'new_title',
      'conversation_id',
      'parent',
      'variant_of',
      'api_context_message_count',
      'parameters',
      'attachments',
      'openai_web_plugin_ids',
      'openai_web_attachments',
      'openai_web_multimodal_image_parts',
      'arkose_token',
      'ask_id',
    ]
    expect(AskRequest.safeParse({ ...ASK, ...Object.fromEntries(rest.map(field => [field, null])) }).success).toBe(true)
    expect(AskRequest.safeParse({ ...ASK, new_title: '', unknown_field: { of: 'later clients' } }).success).toBe(true)
  })
  test('may have a blank title, which is none', () => {
    for (const new_title of ['', ' ', '\u3000\n'])
      expect(AskRequest.safeParse({ ...ASK, new_title }).data?.new_title, JSON.stringify(new_title)).toBe('')
    for (const new_title of ['x'.repeat(201), 'a\nb', 5])
      expect(AskRequest.safeParse({ ...ASK, new_title }).success, String(new_title)).toBe(false)
  })
  test('for a new conversation names no other', () => {
    expect(inconsistentField(ASK)).toBe(null)
    expect(inconsistentField({ ...ASK, new_title: 'a title', conversation_id: null, parent: null })).toBe(null)
    expect(inconsistentField({ ...ASK, conversation_id: OLD.conversation_id })?.field).toBe('conversation_id')
    expect(inconsistentField({ ...ASK, parent: OLD.parent })?.field).toBe('parent')
    expect(inconsistentField({ ...ASK, variant_of: OLD.parent })?.field).toBe('variant_of')
  })
  test('in an old conversation names it and the message to go on from, and gives no title', () => {
    expect(inconsistentField({ ...ASK, ...OLD })).toBe(null)
    expect(inconsistentField({ ...ASK, ...OLD, new_title: '' })).toBe(null)
    expect(inconsistentField({ ...ASK, ...OLD, new_title: 'a title' })?.field).toBe('new_title')
    expect(inconsistentField({ ...ASK, ...OLD, parent: null })?.field).toBe('parent')
    expect(inconsistentField({ ...ASK, ...OLD, conversation_id: undefined })?.field).toBe('conversation_id')
  })
  test('beside another question names that one, and the conversation it is in', () => {
    const beside = { ...ASK, ...OLD, parent: null, variant_of: OLD.parent }
    expect(inconsistentField(beside)).toBe(null)
    expect(inconsistentField({ ...beside, conversation_id: null })?.field).toBe('conversation_id')
  })
})

describe('the attachments of a request', () => {
  test('have the same form by whichever names they are given', () => {
    const file = { file_id: 'file-a', as: 'file', name: 'a.pdf', size: 5, mime_type: 'application/pdf' } as const
    const { file_id: id, name, size, mime_type: mimeType } = file
    const request = {
      ...ASK,
      attachments: [file],
      openai_web_attachments: [{ id, name, size, mimeType }],
      openai_web_multimodal_image_parts: [{ asset_pointer: 'sediment://file_00b', size_bytes: 7, width: 2, height: 3 }],
    }
    const picture = { file_id: 'file_00b', as: 'picture', name: '', size: 7, width: 2, height: 3 }
    expect(attachmentsOfRequest(AskRequest.parse(request))).toEqual([file, picture, file])
  })
  test('of a picture that points to no file name none', () => {
    for (const asset_pointer of ['file-done', 'https://evil.example/file-done'])
      expect(attachmentsOfRequest({ ...ASK, openai_web_multimodal_image_parts: [{ asset_pointer }] })).toMatchObject([
        { file_id: '' },
      ])
  })
})

describe('the parameters of a request', () => {
  test('are bounded, and no others', () => {
    const parse = (parameters: unknown) => AskRequest.safeParse({ ...ASK, parameters })
    expect(parse({ temperature: 0.7, stop: ['END'], reasoning_effort: 'high' }).success).toBe(true)
    for (const wrong of [{ temperature: 3 }, { max_tokens: 0 }, { stop: [''] }, { reasoning_effort: 'Most!' }])
      expect(parse(wrong).success, JSON.stringify(wrong)).toBe(false)
    expect(parse({ temperature: 1, model: 'another' }).data?.parameters).toEqual({ temperature: 1 })
  })
})

describe('an ask response', () => {
  test('has all of its five fields', () => {
    const frame = { type: 'waiting', tip: null, conversation_id: null, message: null, error_detail: null }
    expect(AskResponse.safeParse(frame).success).toBe(true)
    for (const field of Object.keys(frame))
      expect(AskResponse.safeParse({ ...frame, [field]: undefined }).success, field).toBe(false)
  })
})

describe('a refusal', () => {
  test('is known by its message, and nothing of an object’s own is', () => {
    expect(refusalKeyOf('errors.loginExpired')).toBe('loginExpired')
    expect(refusalKeyOf('errors.openai.429')).toBe('openai.429')
    for (const message of ['loginExpired', 'errors.', 'errors.toString', 'errors.__proto__', 'tips.finished', ''])
      expect(refusalKeyOf(message)).toBe(null)
  })
  test('of an upstream never looks like one of ours', () => {
    for (const [key, { code }] of Object.entries(REFUSALS))
      if (key.startsWith('openai.') || key === 'upstreamTimeout') expect(code, key).toBe(502)
    expect(REFUSALS.loginExpired.code).toBe(10401)
    expect(REFUSALS.authorityDeny.code).toBe(10403)
    expect(REFUSALS.requestValidationError.code).toBe(422)
  })
})
