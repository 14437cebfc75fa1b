import { describe, expect, test } from 'vitest'
import { fileOf } from './chatGptExport.testing.ts'
import { deepSeek, deepSeekNode, read } from './foreignExports.testing.ts'
import { readImport } from './readImport.ts'

describe('an export of DeepSeek', () => {
  const asked = deepSeekNode('1', 'root', ['2', '3'], [{ type: 'REQUEST', content: 'Which tea?' }], {
    inserted_at: '2025-06-01T10:00:00.000000+08:00',
  })
  test('has its questions, thoughts and answers, with their branches, models and times', async () => {
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
  test('has the cited pages, and nothing of the search', async () => {
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
