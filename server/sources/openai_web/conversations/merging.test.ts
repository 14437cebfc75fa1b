import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import { merged, modelAt } from './merging.ts'

const ROOM = { messages: 100, bytes: 100_000 }

const said = (text: string) => ({ content_type: 'text' as const, parts: [text] })

function aMessage(id: string, parent: string | null, text = id, fields: Partial<Message> = {}): Message {
  return {
    id,
    source: 'openai_web',
    role: id.startsWith('q') ? 'user' : 'assistant',
    author_name: null,
    model: null,
    create_time: null,
    parent,
    children: [],
    content: said(text),
    metadata: { source: 'openai_web' },
    ...fields,
  }
}

const aRow = (
  id: string,
  parent: string | null,
  text = id,
  fields: Partial<Parameters<typeof merged>[0][number]> = {},
) => ({
  message_id: id,
  parent,
  role: id.startsWith('q') ? 'user' : 'assistant',
  model: null,
  content: said(text),
  message_metadata: { source: 'openai_web' },
  withdraw_time: null,
  ...fields,
})

const kept = (
  messages: readonly Message[],
  current_node: string | null = messages.at(-1)?.id ?? null,
): UpstreamConversation => ({
  title: null,
  create_time: null,
  update_time: null,
  messages,
  current_node,
  metadata: { source: 'openai_web' },
})

const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

describe('what an upstream has of a conversation', () => {
  test('adds what was said there, and goes on from it', () => {
    const found = merged(
      [aRow('q1', null), aRow('a1', 'q1')],
      kept([aMessage('q1', null), aMessage('a1', 'q1'), aMessage('q2', 'a1'), aMessage('a2', 'q2')]),
      'a1',
      ROOM,
    )
    expect(ids(found.added)).toEqual(['q2', 'a2'])
    expect(found).toMatchObject({ changed: [], current_node: 'a2' })
  })

  test('changes nothing that is the same, and leaves the branch that was chosen', () => {
    const rows = [aRow('q1', null), aRow('a1', 'q1'), aRow('a2', 'q1')]
    const found = merged(
      rows,
      kept([aMessage('q1', null), aMessage('a1', 'q1'), aMessage('a2', 'q1')], 'a2'),
      'a1',
      ROOM,
    )
    expect(found).toEqual({ added: [], changed: [], parents: new Map() })
  })

  test('completes an answer that broke off here, and takes nothing from one that is longer here', () => {
    const broken = { source: 'openai_web', ending: 'failed', failure: { tip: 'x' }, attachments: [] }
    const rows = [
      aRow('a1', null, 'Half', { message_metadata: broken }),
      aRow('a2', null, 'A whole answer'),
      aRow('a3', null, 'said'),
    ]
    const there = [
      aMessage('a1', null, 'Half and the rest'),
      aMessage('a2', null, 'A whole'),
      aMessage('a3', null, '', { content: null }),
    ]
    const { changed } = merged(rows, kept(there), 'a1', ROOM)
    expect(changed).toMatchObject([{ id: 'a1', content: said('Half and the rest') }])
    expect(changed[0]?.metadata).toEqual({ source: 'openai_web', attachments: [] })
  })

  test('never replaces a question by an answer', () => {
    const there = aMessage('q1', null, 'something longer', { role: 'assistant' })
    expect(merged([aRow('q1', null)], kept([there]), 'q1', ROOM)).toMatchObject({ added: [], changed: [] })
  })

  test('brings nothing back that was withdrawn', () => {
    const rows = [aRow('q1', null, 'q1', { withdraw_time: 1 })]
    const there = [aMessage('q1', null), aMessage('a1', 'q1'), aMessage('q2', 'a1')]
    expect(merged(rows, kept(there), null, ROOM)).toEqual({ added: [], changed: [], parents: new Map() })
  })

  test('says what stands between stored messages, unless that would make a circle', () => {
    const rows = [aRow('q1', null), aRow('a1', 'q1')]
    const there = [aMessage('s0', null, 's0', { role: 'system' }), aMessage('q1', 's0'), aMessage('a1', 'q1')]
    expect(merged(rows, kept(there), 'a1', ROOM).parents).toEqual(new Map([['q1', 's0']]))
    const circle = [aMessage('a1', null), aMessage('q1', 'a1')]
    expect(merged(rows, kept(circle), 'a1', ROOM).parents).toEqual(new Map())
  })

  test('makes a beginning of what follows something unknown', () => {
    const { added } = merged([], kept([aMessage('q9', 'lost'), aMessage('a9', 'q9')]), null, ROOM)
    expect(added.map(({ parent }) => parent)).toEqual([null, 'q9'])
  })

  test('stops where the conversation is full, by messages or by bytes', () => {
    const there = Array.from({ length: 5 }, (_, at) => aMessage(`a${at}`, at === 0 ? null : `a${at - 1}`))
    expect(ids(merged([], kept(there), null, { ...ROOM, messages: 3 }).added)).toEqual(['a0', 'a1', 'a2'])
    const one = JSON.stringify([there[0]?.content, there[0]?.metadata]).length
    expect(merged([], kept(there), null, { ...ROOM, bytes: one }).added).toHaveLength(1)
    expect(merged([], kept(there), null, { ...ROOM, bytes: one - 1 }).added).toHaveLength(0)
  })

  test('leaves out an id that no message may have', () => {
    const there = [aMessage('a'.repeat(64), null), aMessage('a'.repeat(65), null), aMessage('', null)]
    expect(merged([], kept(there), null, ROOM).added).toHaveLength(1)
  })
})

describe('the model of a conversation', () => {
  test('is that of the latest message above its end that has one', () => {
    const messages = [aMessage('q1', null), aMessage('a1', 'q1', '', { model: 'gpt_4' }), aMessage('q2', 'a1')]
    expect(modelAt(messages, 'q2')).toBe('gpt_4')
    expect(modelAt(messages, 'q1')).toBe(null)
    expect(modelAt([aMessage('a', 'b'), aMessage('b', 'a')], 'a')).toBe(null)
  })
})
