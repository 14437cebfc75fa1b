import { describe, expect, test } from 'vitest'
import { read } from './foreignExports.testing.ts'

describe('an export of LibreChat', () => {
  const message = (
    messageId: string,
    parentMessageId: string,
    isCreatedByUser: boolean,
    text: string,
    more: object = {},
  ) => ({
    messageId,
    parentMessageId,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'GPT',
    text,
    createdAt: '2025-06-01T10:00:00.000Z',
    ...more,
  })
  const root = '00000000-0000-0000-0000-000000000000'
  const whole = {
    conversationId: 'l',
    endpoint: 'openAI',
    title: 'Tea',
    exportAt: 'Sun Jun 01 2025',
    options: { model: 'gpt-4o' },
  }
  test('is a list whose messages name their parents', async () => {
    const { conversation, said, parents } = await read({
      ...whole,
      recursive: false,
      branches: true,
      messages: [
        message('q', root, true, 'Which tea?'),
        message('a', 'q', false, ':::thinking\nHmm\n:::\n\nGreen.', { model: 'gpt-4o' }),
        message('b', 'q', false, '', {
          content: [
            { type: 'think', think: 'So' },
            { type: 'text', text: { value: 'Black.' } },
          ],
        }),
      ],
    })
    expect(said).toEqual([
      'user: Which tea?',
      'assistant: (Hmm)',
      'assistant: Green.',
      'assistant: (So)',
      'assistant: Black.',
    ])
    expect(parents).toEqual([null, 'q', 'a/1', 'q', 'b/1'])
    expect(conversation).toMatchObject({
      id: 'l',
      title: 'Tea',
      current_node: 'b',
      current_model: 'gpt-4o',
      create_time: '2025-06-01T10:00:00.000Z',
    })
  })
  test('is a tree, however deep', async () => {
    let tree: object[] = []
    for (let depth = 3000; depth > 0; depth--)
      tree = [{ messageId: `m${depth}`, sender: depth % 2 === 0 ? 'GPT' : 'User', text: `${depth}`, children: tree }]
    const { said, parents } = await read({ ...whole, recursive: true, messages: tree })
    expect([said.length, said[0], said[1], parents.at(-1)]).toEqual([3000, 'user: 1', 'assistant: 2', 'm2999'])
  })
})
