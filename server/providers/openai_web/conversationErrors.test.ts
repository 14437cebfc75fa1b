import { describe, expect, test } from 'vitest'
import { readError } from '../upstreamErrors.ts'
import { conversationRefusal, unknownConversation } from './request.ts'

type Question = Parameters<typeof conversationRefusal>[2]
const STORED_UPSTREAM: Question = { upstream_conversation_id: 'theirs', extras: {} }
const WITH_GPT: Question = { ...STORED_UPSTREAM, extras: { gizmo_id: 'g-abc' } }
const keyOf = (status: number, body: unknown, question: Question = STORED_UPSTREAM) =>
  conversationRefusal(readError(typeof body === 'string' ? body : JSON.stringify(body)), status, question)?.key ?? null

describe('an error about the conversation', () => {
  test.each([
    [404, { detail: { message: "Can't load conversation 1a2b", code: 'conversation_not_found' } }],
    [404, { detail: 'conversation_not_found' }],
    [404, { detail: 'Conversation not found' }],
    [403, { detail: { code: 'conversation_inaccessible', message: 'You do not have access.' } }],
    [422, { detail: 'This conversation belongs to another workspace.' }],
    [400, { error: { message: 'The conversation has been deleted', type: 'invalid_request_error' } }],
    [404, { message: 'Unable to load conversation 6f', success: false }],
    [404, 'No such conversation'],
    [404, { detail: 'history_disabled_conversation_not_found' }],
    [404, { msg: '会话不存在', code: 404 }],
    [404, { error: '找不到该对话' }],
    [410, { detail: 'Gone' }],
    [200, { error: { code: 'conversation_not_found', message: 'Conversation not found' } }],
  ])('says with status %s and %j that the account does not know it', (status, body) => {
    expect(keyOf(status, body)).toBe('conversationGone')
    expect(unknownConversation(readError(typeof body === 'string' ? body : JSON.stringify(body)), status)?.key).toBe(
      'conversationGone',
    )
  })

  test.each([
    [404, { detail: 'Not Found' }],
    [404, { detail: { message: 'The model gpt-4 does not exist', code: 'model_not_found' } }],
    [404, { detail: { message: 'Parent message 1 not found', code: 'parent_message_not_found' } }],
    [413, { detail: 'The message you submitted was too long, please reload the conversation.' }],
    [429, { detail: 'Only one message at a time. Conversation not found' }],
    [401, { detail: 'conversation not found for an expired token' }],
    [500, { detail: 'Something went wrong. Conversation not found' }],
    [404, '<html><body>conversation not found</body></html>'],
  ])('is none with status %s and %j', (status, body) => {
    expect(keyOf(status, body)).toBe(null)
  })

  test('is none in a conversation that the account has not begun', () => {
    const body = { detail: { message: 'Conversation not found', code: 'conversation_not_found' } }
    expect(keyOf(404, body, { upstream_conversation_id: null, extras: {} })).toBe(null)
  })
})

describe('an error about the custom GPT', () => {
  test.each([
    [404, { detail: { code: 'gizmo_not_found', message: 'Gizmo g-abc not found' } }],
    [403, { detail: 'You do not have access to this GPT: it is private, or you are not allowed to use it' }],
    [403, { detail: { code: 'gizmo_inaccessible' } }],
    [404, { error: { message: 'This GPT was deleted.' } }],
    [400, { detail: 'Custom GPTs are not available for this account' }],
    [422, { detail: [{ msg: 'gizmo_id is not valid', type: 'value_error' }] }],
    [403, { message: '自定义 GPT 不存在或无权使用' }],
  ])('is known by status %s and %j where the conversation has one', (status, body) => {
    expect(keyOf(status, body, WITH_GPT)).toBe('customGptRefused')
    expect(keyOf(status, body)).not.toBe('customGptRefused')
  })
  test('is neither a limit nor an error about the model', () => {
    for (const [status, body] of [
      [429, { detail: "You've reached the limit of this GPT, which is not available until 5 PM" }],
      [404, { detail: { message: 'The model gpt-4 does not exist', code: 'model_not_found' } }],
      [401, { detail: 'gizmo: token expired' }],
    ] as const)
      expect(keyOf(status, body, WITH_GPT)).toBe(null)
  })
})
