import { describe, expect, test } from 'vitest'
import { AskRequest, AskResponse, inconsistentField, type AskRequest as Request } from './asking.ts'
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
