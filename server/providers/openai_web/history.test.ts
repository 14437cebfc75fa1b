import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { Fields } from '../looseJson.ts'
import { keptConversation } from './history.ts'
import { codesOf, toMessage } from './message.ts'

type NodeFields = { parent?: unknown; children?: unknown; message?: unknown }

const said = (words: string) => ({ author: { role: 'user' }, content: { content_type: 'text', parts: [words] } })

/** A mapping in short: the id of each node with its parent. All have a message, `root` alone has none. */
function mappingOf(nodes: Readonly<Record<string, NodeFields | string | null>>): Fields {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => {
      const given = typeof node === 'object' && node !== null ? node : { parent: node }
      return [id, { id, message: id === 'root' ? null : { id, ...said(id) }, children: [], ...given }]
    }),
  )
}

const kept = (answer: Fields, most?: number) => keptConversation(answer, given => toMessage(given, codesOf()), most)
const treeOf = (messages: readonly Message[]) => messages.map(({ id, parent }) => `${parent ?? '-'} > ${id}`)

async function tree(nodes: Parameters<typeof mappingOf>[0], current_node: unknown = null) {
  const { messages, current_node: current } = await kept({ mapping: mappingOf(nodes), current_node })
  return { tree: treeOf(messages), current }
}

describe('a conversation of the web service', () => {
  test('has title, times, metadata and messages', async () => {
    const conversation = await kept({
      title: ' 一周\u0000计划\n',
      create_time: 1_700_000_000.25,
      update_time: '2023-11-14T22:14:00',
      mapping: mappingOf({ root: { parent: null, children: ['q'] }, q: 'root', a: 'q' }),
      current_node: 'a',
      plugin_ids: ['plugin-1', 7],
      moderation_results: [{ flagged: false }],
      gizmo_id: null,
      is_archived: true,
    })
    expect(conversation).toMatchObject({
      title: '一周计划',
      create_time: 1_700_000_000_250,
      update_time: Date.UTC(2023, 10, 14, 22, 14),
      current_node: 'a',
      metadata: {
        source: 'openai_web',
        plugin_ids: ['plugin-1'],
        moderation_results: [{ flagged: false }],
        gizmo_id: null,
        is_archived: true,
        conversation_template_id: null,
      },
    })
    expect(conversation.messages[0]).toMatchObject({ id: 'q', role: 'user', content: { parts: ['q'] } })
  })
  test('keeps content of a type that is not known', async () => {
    const content = { content_type: 'hologram', depth: 3 }
    const mapping = { q: { message: { id: 'q', author: { role: 'assistant' }, content }, parent: null, children: [] } }
    const { messages } = await kept({ mapping })
    expect(messages[0]).toMatchObject({ content: null, metadata: { fallback_content: content } })
  })
  test('without anything in it is one without messages', async () => {
    expect(await kept({ mapping: {} })).toMatchObject({
      title: null,
      create_time: null,
      messages: [],
      current_node: null,
    })
  })
})

describe('the tree of such a conversation', () => {
  test('has parents first, and children as they are listed', async () => {
    expect(
      await tree({ b: 'q', a: 'q', c: 'a', q: { parent: 'root', children: ['a', 'b'] }, root: null }, 'b'),
    ).toEqual({ tree: ['root > q', 'q > a', 'a > c', 'q > b'], current: 'b' })
  })
  test('passes over nodes without a message, also within it', async () => {
    const odd = { parent: 'q', message: null }
    expect(
      await tree({ root: null, q: 'root', empty: odd, x: { ...odd, message: 'text' }, a: 'empty', b: 'x' }),
    ).toEqual({
      tree: ['root > q', 'q > a', 'q > b'],
      current: 'b',
    })
  })
  test('knows a message by the id of its node', async () => {
    const message = { ...said('q'), id: 'other' }
    expect((await tree({ q: { parent: null, message } })).tree).toEqual(['- > q'])
  })
  test('leaves out what cannot be stored under its id, and keeps what is below', async () => {
    const long = 'x'.repeat(65)
    expect((await tree({ root: null, q: 'root', [long]: 'q', a: long })).tree).toEqual(['root > q', 'q > a'])
  })
  test('keeps what has lost its parent', async () => {
    expect((await tree({ root: null, q: 'root', lost: 'gone', below: 'lost' })).tree).toEqual([
      'root > q',
      '- > lost',
      'lost > below',
    ])
  })
  test.each([
    ['a parent is below its child', { root: { children: ['a'] }, a: { parent: 'b', children: ['b'] }, b: 'a' }],
    ['a message is its own parent', { root: { children: ['a'] }, a: { parent: 'a', children: ['a', 'b'] }, b: 'a' }],
  ])('is cut where %s, by what the others list', async (_name, nodes) => {
    expect((await tree(nodes)).tree).toEqual(['root > a', 'a > b'])
  })
  test('leaves out a ring that nothing leads to', async () => {
    expect((await tree({ root: null, q: 'root', a: 'b', b: 'a' }, 'a')).tree).toEqual(['root > q'])
  })
  test('that is nothing but a ring begins with its first message', async () => {
    expect((await tree({ a: 'c', b: 'a', c: 'b' })).tree).toEqual(['- > a', 'a > b', 'b > c'])
  })
  test('lets nothing of the names of objects in', async () => {
    const mapping = JSON.parse(`{"__proto__":{"message":${JSON.stringify(said('x'))},"parent":null,"children":[]}}`)
    const { messages } = await kept({ mapping })
    expect(messages.map(({ id }) => id)).toEqual(['__proto__'])
  })
  test.each([['gone'], [7], [null], ['root']])(
    'without a current message, as %j, shows the deepest, the last',
    async node => {
      expect((await tree({ root: null, q: 'root', a: 'q', b: 'q' }, node)).current).toBe('b')
    },
  )
  test('of many messages is read, however deep, and others have their turn meanwhile', async () => {
    const deep = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`n${at}`, at === 0 ? null : `n${at - 1}`]),
    )
    const mapping = mappingOf(deep)
    let turns = 0
    const turn = setInterval(() => turns++)
    const { messages, current_node } = await kept({ mapping, current_node: 'n9999' }, 1_500)
    clearInterval(turn)
    expect([messages.length, messages[0]?.id, messages.at(-1)?.id, current_node]).toEqual([
      1_500,
      'n8500',
      'n9999',
      'n9999',
    ])
    expect(turns).toBeGreaterThan(0)
  })
  test.each([['text'], [7], [{ message: 'x', parent: {}, children: 'a' }], [{ children: [{}] }]])(
    'is not led astray by %j in place of a node',
    async node => {
      const { messages } = await kept({ mapping: { ...mappingOf({ q: null }), odd: node } })
      expect(messages.map(({ id }) => id)).toEqual(['q'])
    },
  )
})
