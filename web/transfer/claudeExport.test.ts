import { describe, expect, test } from 'vitest'
import { claude, claudeMessage, read } from './foreignExports.testing.ts'

describe('an export of Claude', () => {
  const asked = claudeMessage('q', 'human', [{ type: 'text', text: 'Which tea?' }])
  test('has its messages in order, or after the parents they name', async () => {
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
  test('has its artifacts, and pasted text', async () => {
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
