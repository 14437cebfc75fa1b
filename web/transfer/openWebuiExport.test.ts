import { describe, expect, test } from 'vitest'
import { read } from './foreignExports.testing.ts'

describe('an export of Open WebUI', () => {
  const message = (
    id: string,
    parentId: string | null,
    childrenIds: string[],
    role: string,
    content: unknown,
    more: object = {},
  ) => ({ id, parentId, childrenIds, role, content, timestamp: 1_700_000_000, ...more })
  const history = (...messages: ReturnType<typeof message>[]) => ({
    currentId: messages.at(-1)?.id,
    messages: Object.fromEntries(messages.map(each => [each.id, each])),
  })
  test('is a tree with its model and its current message, in a record or bare', async () => {
    const tree = history(
      message('q', null, ['a', 'b'], 'user', 'Which tea?'),
      message('b', 'q', [], 'assistant', 'Black.'),
      message('a', 'q', [], 'assistant', 'Green.', { model: 'llama3.2:3b' }),
    )
    for (const file of [
      [
        {
          id: 'w',
          user_id: 'u',
          title: 'Tea',
          chat: { title: 'other', models: ['llama3.2:3b'], history: tree },
          created_at: 1_700_000_000,
          updated_at: 1_700_000_060,
        },
      ],
      {
        id: 'w',
        title: 'Tea',
        models: ['llama3.2:3b'],
        history: tree,
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_060,
      },
    ]) {
      const { conversation, said, parents, messages } = await read(file)
      expect([said, parents]).toEqual([
        ['user: Which tea?', 'assistant: Green.', 'assistant: Black.'],
        [null, 'q', 'q'],
      ])
      expect(conversation).toMatchObject({
        id: 'w',
        title: 'Tea',
        current_node: 'a',
        current_model: 'llama3.2:3b',
        create_time: '2023-11-14T22:13:20.000Z',
        update_time: '2023-11-14T22:14:20.000Z',
      })
      expect(messages[1]?.model).toBe('llama3.2:3b')
    }
  })
  test('has thoughts from the text, parts, sources and names of files', async () => {
    const details =
      '<details type="reasoning" done="true" duration="4">\n<summary>Thought for 4 seconds</summary>\n> Hmm\n> so\n</details>\n'
    const { messages, said } = await read([
      {
        id: 'w',
        chat: {
          title: 'Tea',
          history: history(
            message(
              'q',
              null,
              ['a'],
              'user',
              [
                { type: 'text', text: 'Which tea?' },
                { type: 'image_url', image_url: { url: 'data:' } },
              ],
              { files: [{ type: 'file', name: 'tea.pdf', file: { filename: 'x' } }] },
            ),
            message(
              'a',
              'q',
              [],
              'assistant',
              `${details}Green [1].\n\n<details>\n<summary>More</summary>\nkept\n</details>`,
              {
                sources: [{ source: { name: 'Page', url: 'https://example.org/t' } }, { source: { name: 'own.pdf' } }],
              },
            ),
          ),
        },
      },
    ])
    expect(said).toEqual([
      'user: Which tea?',
      'assistant: (Hmm\nso)4',
      'assistant: Green [1].\n\n<details>\n<summary>More</summary>\nkept\n</details>',
    ])
    expect([messages[0]?.files, messages[2]?.cited?.map(([, url]) => url)]).toEqual([
      ['tea.pdf'],
      ['https://example.org/t'],
    ])
  })
})
