import { describe, expect, test } from 'vitest'
import { MessageMetadata } from '#contract/messages.ts'
import { toMapping, toMessage } from './history.ts'
import type { MessageRow } from './messageStore.ts'

function aRow(fields: Partial<MessageRow>): MessageRow {
  return {
    conversation_id: 'c',
    message_id: 'm',
    position: 1,
    parent: null,
    role: 'user',
    author_name: null,
    model: null,
    content: { content_type: 'text', text: 'hello' },
    message_metadata: null,
    create_time: 0,
    withdraw_time: null,
    ...fields,
  }
}

const inParts = (...parts: string[]) => ({ content_type: 'text', parts })

describe('the source of a message', () => {
  test.each(['openai_api', 'openai_web'] as const)(
    'of a conversation of %s stands in its metadata too, also of a question that was stored without',
    source => {
      const content = source === 'openai_api' ? { content_type: 'text', text: 'hello' } : inParts('hello')
      expect(toMessage(aRow({ content }), source)).toMatchObject({ source, content, metadata: { source } })
    },
  )
  test.each([
    ['text in parts', inParts('hello')],
    ['pictures', { content_type: 'multimodal_text', parts: ['look'] }],
    ['code', { content_type: 'code', language: 'python', text: '1' }],
    ['an output', { content_type: 'execution_output', text: '1' }],
    ['a page', { content_type: 'tether_quote', url: 'https://example.org', text: 'x' }],
  ])('is the web for %s, in whichever conversation and whatever its metadata says', (_what, content) => {
    for (const source of ['openai_api', 'openai_web'] as const) {
      for (const message_metadata of [
        null,
        { source: 'openai_web', recipient: 'all' },
        { source: 'openai_api', finish_reason: 'stop' },
      ]) {
        const message = toMessage(aRow({ content, message_metadata }), source)
        expect(message).toMatchObject({ source: 'openai_web', content, metadata: { source: 'openai_web' } })
        expect(MessageMetadata.safeParse(message.metadata).success).toBe(true)
      }
    }
  })
  test('is the web where metadata alone says so, and its text then stands in parts', () => {
    const message_metadata = { source: 'openai_web', citations: [] }
    expect(toMessage(aRow({ message_metadata }), 'openai_api')).toMatchObject({
      source: 'openai_web',
      content: inParts('hello'),
      metadata: message_metadata,
    })
    expect(
      toMessage(aRow({ content: null, message_metadata: { source: 'openai_web', fallback_content: 1 } }), 'openai_api')
        .source,
    ).toBe('openai_web')
  })
  test('keeps of the metadata what the web can have, and no more', () => {
    const kept = { source: 'openai_api', ending: 'stopped' }
    expect(toMessage(aRow({ content: inParts('a'), message_metadata: kept }), 'openai_api').metadata).toEqual({
      source: 'openai_web',
      ending: 'stopped',
    })
    const odd = { source: 'openai_api', citations: 'many' }
    expect(toMessage(aRow({ content: inParts('a'), message_metadata: odd }), 'openai_api').metadata).toEqual({
      source: 'openai_web',
    })
  })
  test('of thoughts is that of their conversation', () => {
    expect(
      toMessage(aRow({ content: { content_type: 'thoughts', text: 'hm', seconds: 1 } }), 'openai_api').source,
    ).toBe('openai_api')
  })
})

describe('an answer of the web', () => {
  const answered = (metadata: Record<string, unknown> | null, next: string | null = 'user') => {
    const rows = [
      aRow({ message_id: 'q', content: inParts('?') }),
      aRow({ message_id: 'a', parent: 'q', role: 'assistant', content: inParts('!'), message_metadata: metadata }),
      ...(next === null ? [] : [aRow({ message_id: 'n', parent: 'a', role: next, content: inParts('next') })]),
    ]
    return toMapping(rows, 'openai_api')['a']?.metadata
  }
  test('is for everybody and ends its turn, where nothing was said of that', () => {
    expect(answered(null, null)).toEqual({ source: 'openai_web', recipient: 'all', end_turn: true })
    expect(answered({ source: 'openai_web', recipient: null, end_turn: null })).toMatchObject({
      recipient: 'all',
      end_turn: true,
    })
  })
  test('does not end a turn that a tool goes on with, nor one that says so itself', () => {
    expect(answered(null, 'tool')).toMatchObject({ recipient: 'all', end_turn: null })
    expect(answered({ source: 'openai_web', end_turn: false })).toMatchObject({ end_turn: false })
    expect(answered({ source: 'openai_web', recipient: 'python' })).toMatchObject({
      recipient: 'python',
      end_turn: null,
    })
  })
})
