import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ImportedConversation } from '#contract/transfer.ts'
import { fileOf, first } from './chatGptExport.testing.ts'
import { claude, claudeMessage, deepSeek, deepSeekNode, read } from './foreignExports.testing.ts'
import { batchesOf } from './importBatches.ts'
import { readImport } from './readImport.ts'
import { UnreadableFile } from './unreadableFile.ts'

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
  ])('names its product: %s', async (product, file) => {
    expect(await failureOf(fileOf(file))).toMatchObject({ reason: 'transfer.no.unknownFile', product })
  })
  test('of an unknown product has no name', async () => {
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
  test('without a conversation says so, or names the product', async () => {
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
  test('with a hundred thousand messages, or cycles, is read to its end', async () => {
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
