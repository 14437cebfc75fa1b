import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { EXPORT_FORMAT, ImportedConversation } from '#contract/transfer.ts'
import { fileOf, first, ID, node, upstream } from './chatGptExport.testing.ts'
import { batchesOf } from './importBatches.ts'
import { readImport } from './readImport.ts'
import { UnreadableFile } from './unreadableFile.ts'

const TIME = '2026-03-02T10:00:00.000Z'

function ourMessage(id: string, parent: string | null, children: string[], text: string) {
  return {
    id,
    source: 'openai_api',
    role: parent === null ? 'user' : 'assistant',
    author_name: null,
    model: 'gpt_4',
    create_time: TIME,
    parent,
    children,
    content: { content_type: 'text', text },
    metadata: null,
  }
}

const OURS = {
  _id: ID,
  source: 'openai_api',
  title: '热泵',
  create_time: TIME,
  update_time: TIME,
  current_node: 'b',
  current_model: 'gpt_4',
  metadata: null,
  mapping: {
    q: ourMessage('q', null, ['a', 'b'], '问'),
    a: ourMessage('a', 'q', [], '一'),
    b: ourMessage('b', 'q', [], '二'),
  },
}

const WRAPPED = { format: EXPORT_FORMAT, version: 1, exported_at: TIME, conversations: [OURS] }

async function reasonOf(file: Blob): Promise<string> {
  const error: unknown = await readImport(file).then(
    () => null,
    (failure: unknown) => failure,
  )
  if (!(error instanceof UnreadableFile)) throw new Error('it was read', { cause: error })
  return error.reason
}

describe('a file of ours', () => {
  test.each([
    ['one conversation or many', WRAPPED],
    ['a history document', OURS],
    ['several of them', [OURS]],
  ])('is %s', async (_, file) => {
    const { conversations, refused } = await readImport(fileOf(file))
    expect(refused).toEqual([])
    expect(conversations).toMatchObject([
      {
        id: ID,
        title: '热泵',
        create_time: TIME,
        current_node: 'b',
        message_count: 3,
        messages: [
          { id: 'q', parent: null },
          { id: 'a', parent: 'q' },
          { id: 'b', parent: 'q' },
        ],
      },
    ])
  })
  test('of a newer version is refused', async () => {
    expect(await reasonOf(fileOf({ ...WRAPPED, version: 2 }))).toBe('transfer.no.newerVersion')
  })
  test('keeps unknown content raw', async () => {
    const odd = {
      ...OURS,
      mapping: { q: { ...ourMessage('q', null, [], ''), content: { content_type: 'hologram', beam: [1] } } },
    }
    expect((await first(odd)).messages[0]).toMatchObject({
      content: null,
      metadata: { fallback_content: { content_type: 'hologram', beam: [1] } },
    })
  })
})

describe('a file that was made to do harm', () => {
  test.each([
    ['no JSON', 'hello', 'transfer.no.notJson'],
    ['half a JSON', '[{"mapping":', 'transfer.no.notJson'],
    ['a depth without end', '['.repeat(200_000), 'transfer.no.notJson'],
    ['a number', '7', 'transfer.no.unknownFile'],
    ['other data', '{"a":1}', 'transfer.no.unknownFile'],
    ['a list of other data', '[1,2]', 'transfer.no.unknownFile'],
    ['nothing', '[]', 'transfer.no.empty'],
    ['bytes that are no text', new Uint8Array([0x5b, 0xff, 0xfe]), 'transfer.no.notJson'],
    ['a broken zip', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3, 4]), 'transfer.no.notAZip'],
    [
      'a zip whose end is missing',
      zipSync({ 'conversations-000.json': strToU8('[]') }).slice(0, -30),
      'transfer.no.notAZip',
    ],
    ['a zip of other things', zipSync({ 'a.txt': strToU8('x') }), 'transfer.no.emptyZip'],
  ])('with %s is refused as a whole', async (_, content, reason) => {
    expect(await reasonOf(new Blob([content]))).toBe(reason)
  })

  test('with cycles, lost parents and children of others is read to its end, each message once', async () => {
    const conversation = await first([
      upstream([
        node('a', 'b', ['b'], {}),
        node('b', 'a', ['a', 'c'], {}),
        node('c', 'lost', [], {}),
        node('self', 'self', ['self'], {}),
        node('d', 'c', [], {}),
      ]),
    ])
    const ids = conversation.messages.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['a', 'b', 'c', 'd', 'self'])
    for (const [at, { parent }] of conversation.messages.entries())
      if (parent !== null) expect(ids.indexOf(parent)).toBeLessThan(at)
  })

  test('with a chain of 50,000 messages is read', async () => {
    const chain = Array.from({ length: 50_000 }, (_, at) =>
      node(`n${at}`, at === 0 ? null : `n${at - 1}`, [`n${at + 1}`], {}),
    )
    expect((await first([upstream(chain)])).messages).toHaveLength(50_000)
  })

  test('with odd types in every place gives what the server takes, or a reason', async () => {
    const odd = [null, 7, 'text', [], {}, true, -1e300, '\uD800\0', { __proto__: null, length: -1 }]
    const conversations = odd.flatMap(value => [
      value,
      { mapping: value },
      upstream([], {
        mapping: {
          x: value,
          y: { message: value },
          z: { message: { author: value, content: value, metadata: value, create_time: value } },
        },
      }),
      upstream([node('q', null, [], { content: { content_type: value, parts: value, text: value } })], {
        title: value,
        create_time: value,
        current_node: value,
        conversation_id: value,
      }),
      {
        ...OURS,
        title: value,
        mapping: {
          q: {
            ...ourMessage('q', null, [], ''),
            content: value,
            metadata: value,
            role: value,
            children: value,
            create_time: value,
          },
        },
      },
    ])
    const read = await readImport(fileOf(conversations))
    expect(read.conversations.length + read.refused.length).toBe(conversations.length)
    for (const batch of batchesOf(read.conversations)) {
      for (const { conversation } of batch) expect(ImportedConversation.safeParse(conversation).error).toBe(undefined)
    }
  })
})
