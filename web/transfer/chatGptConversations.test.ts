import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { ImportedConversation } from '#contract/transfer.ts'
import { chain, first, ID, node, only, upstream } from './chatGptExport.testing.ts'
import { readImport } from './readImport.ts'

describe('a data export', () => {
  test('becomes the same tree, without nodes that say nothing', async () => {
    const conversation = await first([
      upstream([
        node('root', null, ['s'], null),
        node('s', 'root', ['q1', 'q2'], { role: 'system', content: { content_type: 'text', parts: [''] } }),
        node('q1', 's', ['a'], {}),
        node('a', 'q1', [], { role: 'assistant', metadata: { model_slug: 'gpt-4' } }),
        node('q2', 's', [], {}),
      ]),
    ])
    expect(conversation.messages.map(({ id, parent }) => [id, parent])).toEqual([
      ['q1', null],
      ['a', 'q1'],
      ['q2', null],
    ])
    expect(conversation).toMatchObject({
      title: 'A chat',
      create_time: '2023-11-14T22:13:20.250Z',
      update_time: '2023-11-14T22:15:00.000Z',
      current_model: 'gpt_4',
      current_node: 'q2',
    })
    expect(conversation.messages[1]).toMatchObject({
      model: 'gpt_4',
      create_time: '2023-11-14T22:13:20.500Z',
      content: { content_type: 'text', text: 'hello' },
    })
  })
  test('comes in a zip among other files, or in several files', async () => {
    const zip = zipSync({
      'chat.html': strToU8('<p>'),
      'user.json': strToU8('{}'),
      'conversations-000.json': strToU8(JSON.stringify([upstream([node('q', null, [], {})])])),
      'export/conversations.json': strToU8(
        JSON.stringify([upstream([node('q', null, [], {})], { conversation_id: 'other' })]),
      ),
    })
    expect((await readImport(new Blob([zip]))).conversations.map(({ id }) => id)).toEqual([ID, 'other'])
  })
  test('keeps the content types of tools', async () => {
    expect(
      await only({
        role: 'tool',
        name: 'python',
        content: { content_type: 'execution_output', text: '42' },
        metadata: { aggregate_result: { status: 'success', code: 'x' } },
      }),
    ).toMatchObject({
      role: 'tool',
      author_name: 'python',
      content: { content_type: 'execution_output', text: '42' },
      metadata: { aggregate_result: { code: 'x' } },
    })
    expect(
      await only({
        role: 'assistant',
        recipient: 'python',
        content: { content_type: 'code', language: 'python', text: 'x' },
      }),
    ).toMatchObject({ content: { content_type: 'code' }, metadata: { recipient: 'python' } })
  })
  test('keeps pictures, the words of what was spoken, and attachments', async () => {
    const parts = [
      { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x', width: 10, height: 20, size_bytes: 5 },
      { content_type: 'audio_transcription', text: 'spoken' },
      'typed',
    ]
    expect(
      await only({
        content: { content_type: 'multimodal_text', parts },
        metadata: { attachments: [{ id: 'f', name: 'a.pdf', mime_type: 'application/pdf' }, 'odd'] },
      }),
    ).toMatchObject({
      content: {
        content_type: 'multimodal_text',
        parts: [{ asset_pointer: 'file-service://x', width: 10 }, 'spoken', 'typed'],
      },
      metadata: { attachments: [{ id: 'f', name: 'a.pdf', mimeType: 'application/pdf' }] },
    })
  })
  test('has sources in the place of its marks', async () => {
    const mark = '\uE200cite\uE202turn0search0\uE201'
    const message = await only({
      role: 'assistant',
      content: { content_type: 'text', parts: [`😀 True${mark}. End`] },
      metadata: {
        content_references: [
          { matched_text: mark, items: [{ title: 'Page', url: 'https://example.org/', snippet: 'words' }] },
        ],
      },
    })
    expect(message).toMatchObject({
      content: { text: '😀 True. End' },
      metadata: {
        citations: [
          { start_ix: 6, end_ix: 6, metadata: { title: 'Page', url: 'https://example.org/', text: 'words' } },
        ],
      },
    })
  })
  test('shows the words of unknown content, and keeps what has none out of sight', async () => {
    const hologram = (more: object) => ({ role: 'tool', content: { content_type: 'hologram', beam: 1, ...more } })
    expect(await chain({}, hologram({ title: 'A cup', cards: [{ text: 'Steam' }] }), hologram({}))).toMatchObject([
      {},
      {
        role: 'tool',
        content: { content_type: 'text', text: 'A cup\n\nSteam' },
        metadata: { source: 'openai_web', fallback_content: { beam: 1 } },
      },
      { role: 'system', content: null, metadata: { source: 'openai_web', fallback_content: { beam: 1 } } },
    ])
  })
})

describe('a time that a file does not have', () => {
  const timesOf = ({ create_time, update_time, messages }: ImportedConversation) => [
    create_time,
    update_time,
    ...messages.map(message => message.create_time),
  ]

  test.each([null, 0, -1, 1e18, 'yesterday'])(
    '(%s) is that of the earliest message, and of a message that of the one before it',
    async unknown => {
      const conversation = await first([
        upstream(
          [
            node('q', null, ['a', 'b'], { create_time: unknown }),
            node('a', 'q', ['c'], { create_time: 1_700_000_060 }),
            node('c', 'a', [], { create_time: unknown }),
            node('b', 'q', [], { create_time: 1_700_000_000 }),
          ],
          { create_time: unknown, update_time: unknown },
        ),
      ])
      const [earliest, latest] = ['2023-11-14T22:13:20.000Z', '2023-11-14T22:14:20.000Z']
      expect(timesOf(conversation)).toEqual([earliest, latest, earliest, latest, latest, earliest])
    },
  )
  test('is now where nothing in the conversation has one', async () => {
    const before = new Date().toISOString()
    const conversation = await first([
      upstream([node('q', null, [], { create_time: null })], { create_time: null, update_time: null }),
    ])
    for (const time of timesOf(conversation)) expect([before, time, new Date().toISOString()].toSorted()[1]).toBe(time)
  })
})
