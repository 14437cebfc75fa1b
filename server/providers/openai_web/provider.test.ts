import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { aQuestion } from '#testing/upstream.ts'
import type { ProviderAsk } from '../provider.ts'
import { askBody } from './provider.ts'

const asked: Message = {
  id: 'question',
  source: 'openai_web',
  role: 'user',
  author_name: null,
  model: null,
  create_time: null,
  parent: null,
  children: [],
  content: { content_type: 'text', parts: ['Why?'] },
  metadata: { source: 'openai_web' },
}
const FILE = { name: 'a.png', id: 'file-1', size: 3, mimeType: 'image/png', width: 2, height: 1 }
const IMAGE = { asset_pointer: 'file-service://file-1', size_bytes: 3, width: 2, height: 1 }

const body = (question: Partial<ProviderAsk['question']> = {}, thread: Message[] = [asked]) =>
  askBody({
    question: { ...aQuestion('openai_web'), ...question },
    thread,
    upstream: {
      base_url: 'http://127.0.0.1/',
      key: null,
      key_header: null,
      proxy: null,
      addresses: 'any',
      model_name: 'gpt-4-plugins',
      connect_timeout: 1,
      first_token_timeout: 1,
      read_timeout: 1,
      ask_timeout: 1,
      max_answer_length: 1,
    },
  })

describe('what a web account is asked with', () => {
  test('begins a conversation by a question under our id, and a parent that nobody knows', () => {
    expect(body({ extras: { plugin_ids: ['p1', 'p2'], arkose_token: 'arkose' } })).toEqual({
      action: 'next',
      arkose_token: 'arkose',
      conversation_id: null,
      conversation_mode: { kind: 'primary_assistant', gizmo: null },
      force_paragen: false,
      force_rate_limit: false,
      history_and_training_disabled: false,
      messages: [
        { id: 'question', author: { role: 'user' }, content: { content_type: 'text', parts: ['Why?'] }, metadata: {} },
      ],
      model: 'gpt-4-plugins',
      parent_message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      plugin_ids: ['p1', 'p2'],
      suggestions: [],
      timezone_offset_min: null,
    })
  })
  test('goes on with the custom GPT of the conversation', () => {
    expect(body({ extras: { gizmo_id: 'g-abc' } })['conversation_mode']).toEqual({
      kind: 'gizmo_interaction',
      gizmo_id: 'g-abc',
    })
  })
  test('follows the message before it in a conversation that the account has, with plugins no more', () => {
    const thread = [
      { ...asked, id: 'answer', role: 'assistant' as const },
      { ...asked, parent: 'answer' },
    ]
    expect(body({ upstream_conversation_id: 'theirs', extras: { plugin_ids: ['p1'] } }, thread)).toMatchObject({
      conversation_id: 'theirs',
      parent_message_id: 'answer',
      plugin_ids: null,
      arkose_token: null,
      messages: [{ id: 'question' }],
    })
  })
  test('goes on with an answer without a message', () => {
    const thread = [asked, { ...asked, id: 'answer', role: 'assistant' as const, parent: 'question' }]
    expect(body({ upstream_conversation_id: 'theirs', continues: true }, thread)).toMatchObject({
      action: 'continue',
      messages: null,
      parent_message_id: 'answer',
    })
  })
  test('has the pictures before the text, and the files beside it', () => {
    const sent = {
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', ...IMAGE }, 'Why?'],
      },
      metadata: { attachments: [FILE] },
    }
    const stored: Message = {
      ...asked,
      content: { content_type: 'multimodal_text', parts: [IMAGE, 'Why?'] },
      metadata: { source: 'openai_web', attachments: [FILE] },
    }
    expect(body({}, [stored])['messages']).toMatchObject([sent])
  })
  test.each([
    ['file-service://file-a1', 'file-service://file-a1'],
    ['file-service://file_0000a1', 'sediment://file_0000a1'],
    ['sediment://file_0000a1', 'sediment://file_0000a1'],
  ])('points to a picture as its id demands: %s as %s', (asset_pointer, pointed) => {
    const stored: Message = { ...asked, content: { content_type: 'multimodal_text', parts: [{ asset_pointer }] } }
    expect(body({}, [stored])['messages']).toMatchObject([{ content: { parts: [{ asset_pointer: pointed }, ''] } }])
  })
})
