import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { toUpstream } from './toUpstream.ts'

function message(role: Message['role'], content: Message['content'], more: Partial<Message> = {}): Message {
  return {
    id: 'm',
    source: 'openai_api',
    role,
    author_name: null,
    model: null,
    create_time: null,
    parent: null,
    children: [],
    content,
    metadata: null,
    ...more,
  }
}
const said = (role: Message['role'], text: string, more: Partial<Message> = {}) =>
  message(role, { content_type: 'text', text }, more)

describe('a thread on its way to the endpoint', () => {
  test('keeps roles and text', () => {
    expect(
      toUpstream([
        message('user', { content_type: 'text', text: '你好' }),
        message('assistant', { content_type: 'text', parts: ['Hi', '!'] }),
      ]),
    ).toEqual([
      { role: 'user', content: '你好' },
      { role: 'assistant', content: 'Hi!' },
    ])
  })
  test('has the sides take turns', () => {
    const thread = [
      said('system', 's'),
      said('user', 'unanswered'),
      said('user', 'again'),
      said('assistant', 'one'),
      said('tool', 'two'),
      message('user', null),
      said('assistant', 'three'),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'unanswered\n\nagain' },
      { role: 'assistant', content: 'one\n\ntwo\n\nthree' },
    ])
  })
  test('has no pictures of an answer, and a question keeps its words', () => {
    const picture = `![](data:image/png;base64,${'A'.repeat(5_000)})`
    const thread = [
      said('user', `what is ${picture}?`),
      said('assistant', `Here: ${picture} and data:text/plain,short`),
      said('assistant', picture),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'user', content: `what is ${picture}?` },
      { role: 'assistant', content: 'Here:  and data:text/plain,short' },
    ])
  })
  test('leaves out what has no text', () => {
    expect(toUpstream([message('assistant', null), message('user', { content_type: 'text', text: '' })])).toEqual([])
  })
  test('has one system message and that in front; what stands between the sides was a note', () => {
    const thread = [
      said('system', 'be brief'),
      said('system', 'be kind'),
      said('user', 'hi'),
      said('system', 'Thought for 4 seconds'),
      said('user', 'there?'),
      said('assistant', 'yes'),
      said('system', ''),
    ]
    expect(toUpstream(thread)).toEqual([
      { role: 'system', content: 'be brief\n\nbe kind' },
      { role: 'user', content: 'hi\n\nthere?' },
      { role: 'assistant', content: 'yes' },
    ])
    expect(toUpstream([said('assistant', 'welcome'), said('system', 'late')])).toEqual([
      { role: 'assistant', content: 'welcome' },
    ])
  })
  test('has no thoughts, and the answers around them are one', () => {
    const thoughts = message('assistant', { content_type: 'thoughts', text: 'let me see', seconds: 4 })
    expect(
      toUpstream([said('user', 'q'), thoughts, said('assistant', 'half'), thoughts, said('assistant', 'whole')]),
    ).toEqual([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'half\n\nwhole' },
    ])
  })
  test('has none of the notes that an import brought', () => {
    const notes = [
      said('system', 'what it was told about the person', {
        metadata: { source: 'openai_web', is_visually_hidden_from_conversation: true },
      }),
      said('tool', 'anything', { author_name: 'canmore.update_textdoc' }),
      said('tool', 'Model set context updated.', { author_name: 'a8km123' }),
      said('tool', "Successfully created text document with textdoc_id: '1'"),
      said('tool', 'DALL·E displayed 1 images.', { author_name: 'dalle.text2im' }),
      said('assistant', '{"updates":[]}', { metadata: { source: 'openai_web', recipient: 'canmore.update_textdoc' } }),
      said('assistant', '{"query":"tea"}', { metadata: { source: 'openai_web', recipient: 'web_search' } }),
      said('assistant', 'Has a cat.', { metadata: { source: 'openai_web', recipient: 'bio' } }),
    ]
    expect(toUpstream([...notes, said('user', 'q'), ...notes, said('assistant', 'a')])).toEqual([
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'a' },
    ])
  })
  test('has what a tool found, and people may write what tools report', () => {
    const code = message(
      'assistant',
      { content_type: 'code', text: '6*7' },
      { metadata: { source: 'openai_web', recipient: 'python' } },
    )
    const run = message('tool', { content_type: 'execution_output', text: '42' }, { author_name: 'python' })
    expect(toUpstream([said('user', 'Model set context updated.'), code, run])).toEqual([
      { role: 'user', content: 'Model set context updated.' },
      { role: 'assistant', content: '6*7\n\n42' },
    ])
  })
})
