import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { isFull, requireNotFull } from './conversationLimits.ts'
import { filesNamedIn } from './fileConversations.ts'

const nothing = { content: null, message_metadata: null }
const shows = (...asset_pointers: string[]) => ({
  content_type: 'multimodal_text',
  parts: ['Look', ...asset_pointers.map(asset_pointer => ({ asset_pointer }))],
})

describe('the files of a message', () => {
  test('are those that it shows, in either form of ids, and those that are attached to it', () => {
    expect(filesNamedIn({ ...nothing, content: shows('file-service://file-a1', 'sediment://file_b2') })).toEqual([
      ...['file-a1', 'file_b2'],
    ])
    for (const source of ['openai_web', 'openai_api'])
      expect(
        filesNamedIn({ ...nothing, message_metadata: { source, attachments: [{ id: 'file-c3', name: 'a.pdf' }] } }),
      ).toEqual(['file-c3'])
  })
  test('are those that a model’s code has drawn, too', () => {
    const messages = [{ image_url: 'file-service://file-d4' }, { image_url: null }, {}]
    expect(
      filesNamedIn({ ...nothing, message_metadata: { source: 'openai_web', aggregate_result: { messages } } }),
    ).toEqual(['file-d4'])
  })
  test('are none that only stand in its words, or behind another address', () => {
    const text = 'file-service://file-a1'
    expect(filesNamedIn(nothing)).toEqual([])
    expect(filesNamedIn({ ...nothing, content: { content_type: 'text', text } })).toEqual([])
    expect(filesNamedIn({ ...nothing, content: { content_type: 'multimodal_text', parts: [text] } })).toEqual([])
    for (const pointer of ['https://a.example/file-a1', 'javascript:file-a1', 'file:///etc/passwd', ''])
      expect(filesNamedIn({ ...nothing, content: shows(pointer) }), pointer).toEqual([])
  })
})

describe('a conversation', () => {
  const configuration = Configuration.parse({
    asking: { max_messages_per_conversation: 100, max_conversation_bytes: 1_000_000 },
  })
  test.each([
    [99, 999_999, false],
    [100, 0, true],
    [0, 1_000_000, true],
    [5_000, 9_000_000, true],
  ])('of %i messages and %i bytes is full: %j', (messages, bytes, expected) => {
    expect(isFull({ messages, bytes }, configuration)).toBe(expected)
    const require = () => requireNotFull({ messages, bytes }, configuration)
    if (expected) expect(require).toThrow('errors.conversationTooLong')
    else expect(require).not.toThrow()
  })
})
