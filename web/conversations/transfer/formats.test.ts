import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ImportedConversation } from '#contract/transfer.ts'
import { fileOf, first } from './dataExport.testing.ts'
import { batchesOf } from './importBatches.ts'
import { UnreadableFile } from './importReasons.ts'
import { readImport } from './readImport.ts'

/** Who said what after whom; thoughts as their text and seconds. */
async function read(file: unknown) {
  const conversation = await first(file)
  const messages = conversation.messages.map(({ parent, role, content, model, create_time, metadata }) => {
    const said =
      content?.content_type === 'thoughts'
        ? `(${content.text})${content.seconds ?? ''}`
        : content !== null && 'text' in content
          ? content.text
          : content
    const web = metadata?.source === 'openai_web' ? metadata : null
    return {
      parent,
      role,
      said,
      model,
      create_time,
      cited: web?.citations?.map(each => [each.start_ix, each.metadata?.url]),
      files: web?.attachments?.map(({ name }) => name),
      to: web?.recipient,
    }
  })
  return {
    conversation,
    messages,
    said: messages.map(({ role, said }) => `${role}: ${String(said)}`),
    parents: messages.map(({ parent }) => parent),
  }
}

const deepSeekNode = (
  id: string,
  parent: string | null,
  children: string[],
  fragments: object[] | null,
  more: object = {},
) => ({
  id,
  parent,
  children,
  message:
    fragments === null
      ? null
      : { files: [], model: 'deepseek-chat', inserted_at: '2025-06-01T10:00:05.000000+08:00', fragments, ...more },
})

function deepSeek(...nodes: ReturnType<typeof deepSeekNode>[]) {
  const mapping = Object.fromEntries([deepSeekNode('root', null, ['1'], null), ...nodes].map(each => [each.id, each]))
  return {
    id: 'ds',
    title: 'Tea talk',
    inserted_at: '2025-06-01T10:00:00.000000+08:00',
    updated_at: '2025-06-01T10:01:00.000000+08:00',
    mapping,
  }
}

describe('an export of DeepSeek', () => {
  const asked = deepSeekNode('1', 'root', ['2', '3'], [{ type: 'REQUEST', content: 'Which tea?' }], {
    inserted_at: '2025-06-01T10:00:00.000000+08:00',
  })
  test('has its questions, thoughts and answers, with their branches, models and moments', async () => {
    const { conversation, messages, said, parents } = await read([
      deepSeek(
        asked,
        deepSeekNode(
          '2',
          '1',
          [],
          [
            { type: 'THINK', content: 'Hmm', elapsed_secs: 3.5 },
            { type: 'RESPONSE', content: 'Green.' },
          ],
          { model: 'deepseek-reasoner' },
        ),
        deepSeekNode('3', '1', [], [{ type: 'RESPONSE', content: 'Black.' }]),
      ),
    ])
    expect(conversation).toMatchObject({
      id: 'ds',
      title: 'Tea talk',
      create_time: '2025-06-01T02:00:00.000Z',
      update_time: '2025-06-01T02:01:00.000Z',
    })
    expect(said).toEqual(['user: Which tea?', 'assistant: (Hmm)3.5', 'assistant: Green.', 'assistant: Black.'])
    expect(parents).toEqual([null, '1', '2/1', '1'])
    expect(messages[2]).toMatchObject({ model: 'deepseek-reasoner', create_time: '2025-06-01T02:00:05.000Z' })
  })
  test('has the pages that it found where they are cited, and nothing of how it looked for them', async () => {
    const results = [
      { url: 'https://example.org/1', title: 'One', cite_index: 1 },
      { url: 'https://example.org/2', title: 'Two', cite_index: 2 },
    ]
    const {
      messages: [, answer],
    } = await read([
      deepSeek(
        asked,
        deepSeekNode(
          '2',
          '1',
          [],
          [
            { type: 'SEARCH', content: null, results },
            { type: 'READ_LINK', content: 'https://example.org/1' },
            { type: 'TOOL_OPEN', content: 'opened' },
            { type: 'RESPONSE', content: '😀 Green [citation:2], not black[citation:1][citation:9].' },
          ],
        ),
      ),
    ])
    expect(answer).toMatchObject({
      said: '😀 Green, not black.',
      cited: [
        [7, 'https://example.org/2'],
        [18, 'https://example.org/1'],
      ],
    })
  })
  test('that has nothing to read is left out, with the reason', async () => {
    const empty = deepSeek(
      deepSeekNode(
        '1',
        'root',
        [],
        [
          { type: 'SEARCH', content: 'x' },
          { type: 'THINK', content: 'only thought' },
        ],
      ),
    )
    expect(await readImport(fileOf([empty]))).toMatchObject({
      conversations: [],
      refused: [{ title: 'Tea talk', reason: 'transfer.no.noMessages' }],
    })
  })
})

const claudeMessage = (uuid: string, sender: string, content: object[], more: object = {}) => ({
  uuid,
  sender,
  text: '',
  content,
  created_at: '2026-02-14T10:04:22.000Z',
  attachments: [],
  files: [],
  ...more,
})
const claude = (...chat_messages: object[]) => ({
  uuid: 'c1',
  name: 'Tea',
  created_at: '2026-02-14T10:04:22.000000Z',
  updated_at: '2026-02-14T10:22:41Z',
  chat_messages,
})

describe('an export of Claude', () => {
  const asked = claudeMessage('q', 'human', [{ type: 'text', text: 'Which tea?' }])
  test('has what was said, in its order or after whom it names', async () => {
    const plain = await read([
      claude(
        asked,
        { uuid: 'a', sender: 'assistant', text: 'Green.', created_at: '2026-02-14T10:05:00Z' },
        claudeMessage('q2', 'human', [{ type: 'text', text: 'Why?' }]),
      ),
    ])
    expect([plain.said, plain.parents]).toEqual([
      ['user: Which tea?', 'assistant: Green.', 'user: Why?'],
      [null, 'q', 'a'],
    ])
    expect(plain.conversation).toMatchObject({
      id: 'c1',
      title: 'Tea',
      create_time: '2026-02-14T10:04:22.000Z',
      update_time: '2026-02-14T10:22:41.000Z',
      current_node: 'q2',
    })
    const root = '00000000-0000-4000-8000-000000000000'
    const branches = await read(
      claude(
        { ...asked, parent_message_uuid: root },
        claudeMessage('a', 'assistant', [{ type: 'text', text: 'Green.' }], { parent_message_uuid: 'q' }),
        claudeMessage('b', 'assistant', [{ type: 'text', text: 'Black.' }], { parent_message_uuid: 'q' }),
      ),
    )
    expect(branches.parents).toEqual([null, 'q', 'q'])
  })
  test('has its thoughts, its tools as steps, and the pages it cites', async () => {
    const { messages, said, parents } = await read([
      claude(
        asked,
        claudeMessage('a', 'assistant', [
          {
            type: 'thinking',
            thinking: 'Hmm',
            start_timestamp: '2026-02-14T10:04:22Z',
            stop_timestamp: '2026-02-14T10:04:30Z',
          },
          { type: 'token_budget' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'web_search', input: { query: 'tea' } },
          { type: 'tool_result', name: 'web_search', content: [{ type: 'knowledge', title: 'Tea page' }] },
          {
            type: 'text',
            text: 'Green.',
            citations: [{ details: { type: 'web_search_citation', url: 'https://example.org/t' }, end_index: 5 }],
          },
        ]),
      ),
    ])
    expect(said).toEqual([
      'user: Which tea?',
      'assistant: (Hmm)8',
      'assistant: I look.',
      'assistant: {\n  "query": "tea"\n}',
      'tool: Tea page',
      'assistant: Green.',
    ])
    expect(parents).toEqual([null, 'q', 'a/1', 'a/2', 'a/3', 'a/4'])
    expect(messages[3]?.to).toBe('web_search')
    expect(messages[5]?.cited).toEqual([[5, 'https://example.org/t']])
  })
  test('has what was written beside the conversation, and what was pasted into it', async () => {
    const { messages, said } = await read([
      claude(
        claudeMessage('q', 'human', [{ type: 'text', text: 'Improve it' }], {
          attachments: [{ file_name: 'paste.txt', extracted_content: 'long words' }],
          files: [{ file_name: 'cup.png' }],
        }),
        claudeMessage('a', 'assistant', [
          { type: 'text', text: 'Here:' },
          {
            type: 'tool_use',
            name: 'artifacts',
            input: {
              command: 'create',
              type: 'application/vnd.ant.code',
              language: 'python',
              title: 'tea.py',
              content: 'print()\n',
            },
          },
          { type: 'tool_result', name: 'artifacts', content: [{ type: 'text', text: 'OK' }] },
          { type: 'text', text: 'Good?' },
        ]),
        claudeMessage('b', 'assistant', [
          {
            type: 'text',
            text: '<antThinking>x</antThinking>\nOld: <antArtifact identifier="n" type="text/markdown" title="Notes">\n# Tea\n</antArtifact>.',
          },
        ]),
      ),
    ])
    expect(said).toEqual([
      'user: Improve it\n\nlong words',
      'assistant: Here:\n\n**tea.py**\n\n```python\nprint()\n```\n\nGood?',
      'assistant: Old: **Notes**\n\n# Tea\n.',
    ])
    expect(messages[0]?.files).toEqual(['paste.txt', 'cup.png'])
    const beside = claude(
      claudeMessage('a', 'assistant', [
        {
          type: 'text',
          text: 'See <antArtifact type="application/vnd.ant.code" language="js">\nlet a\n</antArtifact> and more',
        },
      ]),
    )
    expect((await read([beside])).said).toEqual(['assistant: See \n\n```js\nlet a\n```\n\n and more'])
  })
})

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
  test('is a tree with its model and its place, in a record or bare', async () => {
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
  test('has thoughts out of the text, parts, sources and names of files', async () => {
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
  test('is a list whose messages name what they follow', async () => {
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
  test('or a tree, however deep', async () => {
    let tree: object[] = []
    for (let depth = 3000; depth > 0; depth--)
      tree = [{ messageId: `m${depth}`, sender: depth % 2 === 0 ? 'GPT' : 'User', text: `${depth}`, children: tree }]
    const { said, parents } = await read({ ...whole, recursive: true, messages: tree })
    expect([said.length, said[0], said[1], parents.at(-1)]).toEqual([3000, 'user: 1', 'assistant: 2', 'm2999'])
  })
})

async function failureOf(file: Blob): Promise<UnreadableFile> {
  const error: unknown = await readImport(file).then(
    () => null,
    (failure: unknown) => failure,
  )
  if (!(error instanceof UnreadableFile)) throw new Error('it was read', { cause: error })
  return error
}

describe('an export that cannot be read', () => {
  test.each([
    ['Gemini', [{ header: 'Gemini Apps', title: 'Prompted tea', time: '2025-06-01T10:00:00Z' }]],
    ['Grok', { conversations: [{ conversation: { id: 'g', title: 'Tea' }, responses: [] }] }],
    ['NextChat', { 'chat-next-web-store': { sessions: [] } }],
    ['LobeChat', { exportType: 'all', state: { messages: [] }, version: 7 }],
    ['Chatbot UI', { version: 4, history: [], folders: [], prompts: [] }],
    ['TypingMind', { data: { chats: [{ messages: [] }] } }],
    ['LM Studio', { name: 'Tea', messages: [{ versions: [] }] }],
  ])('is called by its name: %s', async (product, file) => {
    expect(await failureOf(fileOf(file))).toMatchObject({ reason: 'transfer.no.unknownFile', product })
  })
  test('of nobody who is known has no name', async () => {
    expect(await failureOf(fileOf([{ messages: [] }]))).toMatchObject({
      reason: 'transfer.no.unknownFile',
      product: null,
    })
  })
})

describe('a zip', () => {
  const zipOf = (files: Record<string, unknown>) =>
    new Blob([
      zipSync(Object.fromEntries(Object.entries(files).map(([name, value]) => [name, strToU8(JSON.stringify(value))]))),
    ])
  test('is read whatever the files in it are called', async () => {
    const { conversations } = await readImport(
      zipOf({
        'users.json': [{ uuid: 'u' }],
        'export/chats-1.JSON': [claude(claudeMessage('q', 'human', [{ type: 'text', text: 'x' }]))],
        'broken.json': 'x',
      }),
    )
    expect(conversations.map(({ id }) => id)).toEqual(['c1'])
  })
  test('without a conversation says so, or whose it is', async () => {
    expect((await failureOf(zipOf({ 'users.json': [{ uuid: 'u' }] }))).reason).toBe('transfer.no.emptyZip')
    expect(
      (await failureOf(zipOf({ 'x.json': 7, 'takeout/MyActivity.json': [{ header: 'Gemini Apps', time: 'x' }] })))
        .product,
    ).toBe('Gemini')
  })
})

describe('a file in any format that was made to do harm', () => {
  const odd = [null, 7, 'text', [], {}, true, -1e300, '\uD800\0', [[]], [null], { length: -1 }]
  test('gives what the server takes, or a reason', async () => {
    const conversations = odd.flatMap(value => [
      deepSeek({
        ...deepSeekNode(
          '1',
          'root',
          [],
          [
            { type: value, content: value, results: [value] },
            { type: 'SEARCH', results: value },
            { type: 'RESPONSE', content: value },
          ],
        ),
        children: value as never,
      }),
      {
        ...deepSeek(
          deepSeekNode(
            '1',
            value as never,
            [],
            [
              { type: 'RESPONSE', content: 'x[citation:1]' },
              { type: 'SEARCH', results: [{ url: value, title: value }] },
            ],
          ),
        ),
        title: value,
        inserted_at: value,
        updated_at: value,
      },
      claude(
        { uuid: value, sender: value, content: value, text: value },
        claudeMessage('a', 'assistant', [
          { type: value },
          { type: 'text', text: value, citations: value },
          { type: 'tool_use', name: value, input: value },
          { type: 'tool_result', content: value, name: value },
          { type: 'thinking', thinking: value, start_timestamp: value },
        ]),
      ),
      {
        ...claude(
          claudeMessage('q', 'human', [], {
            attachments: [value, { file_name: value, extracted_content: value }],
            parent_message_uuid: value,
          }),
        ),
        name: value,
        created_at: value,
        current_leaf_message_uuid: value,
      },
      {
        id: value,
        chat: {
          title: value,
          models: value,
          history: {
            currentId: value,
            messages: {
              a: value,
              b: {
                role: value,
                content: value,
                parentId: value,
                childrenIds: value,
                sources: [value, { source: value, metadata: value }],
                files: [value],
                timestamp: value,
              },
            },
          },
        },
      },
      {
        conversationId: value,
        title: value,
        messages: [
          value,
          {
            messageId: value,
            parentMessageId: value,
            isCreatedByUser: value,
            sender: value,
            text: value,
            content: value,
            children: value,
            files: value,
          },
        ],
      },
    ])
    const read = await readImport(
      fileOf([claude(claudeMessage('q', 'human', [{ type: 'text', text: 'x' }])), ...conversations]),
    )
    expect(read.conversations.length + read.refused.length).toBe(conversations.length + 1)
    for (const batch of batchesOf(read.conversations)) {
      for (const { conversation } of batch) expect(ImportedConversation.safeParse(conversation).error).toBe(undefined)
    }
  })
  test('as a hundred thousand messages, or circles, is read to its end', async () => {
    const many = claude(
      ...Array.from({ length: 100_000 }, (_, at) => ({
        uuid: `m${at}`,
        sender: at % 2 === 0 ? 'human' : 'assistant',
        text: 'x',
      })),
    )
    expect((await first(many)).messages).toHaveLength(100_000)
    const circle = claude(
      claudeMessage('a', 'human', [{ type: 'text', text: 'x' }], { parent_message_uuid: 'b' }),
      claudeMessage('b', 'assistant', [{ type: 'text', text: 'y' }], { parent_message_uuid: 'a' }),
    )
    expect((await first(circle)).messages).toHaveLength(2)
  })
  test('with blocks that never end is read to its end', async () => {
    const endless = '<antArtifact '.repeat(50_000) + '<antThinking>'.repeat(50_000)
    expect((await read(claude(claudeMessage('a', 'assistant', [{ type: 'text', text: endless }])))).said).toEqual([
      `assistant: ${endless}`,
    ])
  })
})
