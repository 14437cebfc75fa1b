import type { WebConversation } from './conversation.ts'

const HUGE_COUNT = 100_000

type Mapping = Record<string, unknown>

/** The mapping of a conversation with its nodes in a circle, or 100,000 of them, or damaged. */
export function oddMapping(kind: 'cyclic' | 'huge' | 'broken', conversation: WebConversation) {
  switch (kind) {
    case 'cyclic':
      return cyclic(conversation)
    case 'huge':
      return huge()
    case 'broken':
      return { ...conversation, mapping: { ...conversation.mapping, ...BROKEN } }
  }
}

/** The current message has the root as its child, and the root the current message as its parent. */
function cyclic({ mapping, current_node, ...rest }: WebConversation) {
  const nodes: Mapping = Object.fromEntries(
    Object.entries(mapping).map(([id, node]) => [id, node.parent === null ? { ...node, parent: current_node } : node]),
  )
  const root = Object.values(mapping).find(({ parent }) => parent === null)
  const current = mapping[current_node]
  if (root && current) nodes[current_node] = { ...current, children: [...current.children, root.id] }
  return { ...rest, current_node, mapping: nodes }
}

function huge() {
  const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const mapping: Mapping = {}
  for (let at = 0; at < HUGE_COUNT; at += 1) {
    const message = {
      id: idOf(at),
      author: { role: at % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_700_000_000 + at,
      content: { content_type: 'text', parts: [String(at)] },
    }
    mapping[idOf(at)] = {
      id: idOf(at),
      message,
      parent: at === 0 ? null : idOf(at - 1),
      children: at === HUGE_COUNT - 1 ? [] : [idOf(at + 1)],
    }
  }
  return {
    title: 'A very long one',
    create_time: 1_700_000_000,
    update_time: 1_700_100_000,
    mapping,
    current_node: idOf(HUGE_COUNT - 1),
  }
}

const BROKEN: Mapping = {
  none: null,
  text: 'a node',
  empty: {},
  'without-parent': { id: 'without-parent', message: null, parent: 'nobody', children: ['nobody'] },
  'other-id': {
    id: 'something else',
    message: { id: 'third', content: { content_type: 'text', parts: ['x'] } },
    parent: 'none',
    children: 7,
  },
  'odd-message': {
    id: 'odd-message',
    message: { author: 7, create_time: 'yesterday', content: { parts: 'no list' } },
    parent: 'text',
    children: [null],
  },
  'no-content': {
    id: 'no-content',
    message: { id: 'no-content', author: { role: 'assistant' }, content: null },
    parent: 'odd-message',
    children: [],
  },
  'own-parent': { id: 'own-parent', message: null, parent: 'own-parent', children: ['own-parent'] },
}
