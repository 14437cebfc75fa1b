import { describe, expect, test } from 'vitest'
import { randomFrom } from '#testing/random.ts'
import type { Message } from './messages.ts'
import {
  besideBranch,
  branchOf,
  leafUnder,
  isUnanswered,
  pathTo,
  siblingsOf,
  threadTo,
  withMessage,
  withoutBranch,
  withoutNodes,
} from './messageTree.ts'

type Node = { id: string; parent: string | null; children: string[] }
const node = (id: string, parent: string | null, ...children: string[]): Node => ({ id, parent, children })
const mapping = (...nodes: Node[]): Record<string, Node> => Object.fromEntries(nodes.map(each => [each.id, each]))

/** A question with two answers, of which the second was asked about further. */
const TREE = mapping(
  node('q', null, 'a', 'b'),
  node('a', 'q'),
  node('b', 'q', 'q2'),
  node('q2', 'b', 'a2'),
  node('a2', 'q2'),
)
const ids = (nodes: readonly Node[]) => nodes.map(({ id }) => id)

describe('the path to a message', () => {
  test('leads from the root to it, past the branches beside', () => {
    expect(ids(pathTo(TREE, 'a2'))).toEqual(['q', 'b', 'q2', 'a2'])
    expect(ids(pathTo(TREE, 'a'))).toEqual(['q', 'a'])
    expect(ids(pathTo(TREE, 'q'))).toEqual(['q'])
  })
  test('to nothing, or to what is not there, is empty', () => {
    expect(pathTo(TREE, null)).toEqual([])
    expect(pathTo(TREE, 'else')).toEqual([])
  })
  test('begins behind a parent that is missing', () => {
    expect(ids(pathTo(mapping(node('a', 'gone', 'b'), node('b', 'a')), 'b'))).toEqual(['a', 'b'])
  })
  test('ends at a cycle', () => {
    const cycle = mapping(node('a', 'b', 'b'), node('b', 'a', 'a'))
    expect(ids(pathTo(cycle, 'b'))).toEqual(['a', 'b'])
    expect(pathTo(mapping(node('a', 'a', 'a')), 'a')).toHaveLength(1)
  })
  test('may be long', () => {
    const long = mapping(
      ...Array.from({ length: 20_000 }, (_, at) => node(String(at), at === 0 ? null : String(at - 1), String(at + 1))),
    )
    expect(pathTo(long, '19999')).toHaveLength(20_000)
    expect(leafUnder(long, '0')).toBe('19999')
  })
})

describe('thoughts in the tree', () => {
  const message = (
    id: string,
    role: Message['role'],
    parent: string | null,
    children: string[],
    content: Message['content'] = null,
  ): Message => ({
    ...node(id, parent, ...children),
    source: 'openai_api',
    role,
    author_name: null,
    model: null,
    create_time: null,
    content,
    metadata: null,
  })
  const thoughts = (id: string, ...children: string[]) =>
    message(id, 'assistant', 'q', children, { content_type: 'thoughts', text: 'hm', seconds: 2 })
  const all = (...messages: Message[]) => Object.fromEntries(messages.map(each => [each.id, each]))

  test('are one version with the answer that follows them', () => {
    const tree = all(
      message('q', 'user', null, ['t', 'b']),
      thoughts('t', 'a'),
      message('a', 'assistant', 't', []),
      message('b', 'assistant', 'q', []),
    )
    expect(siblingsOf(tree, 't')).toEqual(['t', 'b'])
    expect(siblingsOf(tree, 'a')).toEqual(['a'])
    expect(leafUnder(tree, 't')).toBe('a')
    expect(ids(threadTo(tree, 'a'))).toEqual(['q', 't', 'a'])
  })
  test('without an answer are no version, and stand behind the question that nothing answers', () => {
    const tree = all(message('q', 'user', null, ['t', 't2']), thoughts('t'), thoughts('t2'))
    expect([isUnanswered(tree, 'q'), leafUnder(tree, 'q')]).toEqual([true, 'q'])
    expect(ids(threadTo(tree, 'q'))).toEqual(['q', 't2'])
    const answered = withMessage(tree, message('a', 'assistant', 'q', []))
    expect([isUnanswered(answered, 'q'), leafUnder(answered, 'q'), siblingsOf(answered, 'a')]).toEqual([
      false,
      'a',
      ['a'],
    ])
    expect(ids(threadTo(answered, 'q'))).toEqual(['q'])
  })
})

describe('the leaf under a message', () => {
  test('is reached by the newest child at each fork', () => {
    expect(leafUnder(TREE, 'q')).toBe('a2')
    expect(leafUnder(TREE, 'a')).toBe('a')
  })
  test('passes over children that are not there', () => {
    expect(leafUnder(mapping(node('q', null, 'a', 'gone'), node('a', 'q')), 'q')).toBe('a')
  })
  test('of an unknown message is that one, and a cycle ends', () => {
    expect(leafUnder(TREE, 'else')).toBe('else')
    expect(['a', 'b']).toContain(leafUnder(mapping(node('a', 'b', 'b'), node('b', 'a', 'a')), 'a'))
  })
})

describe('messages beside each other', () => {
  test('follow the same message, and are told in the order in which they came', () => {
    expect(siblingsOf(TREE, 'b')).toEqual(['a', 'b'])
    expect(siblingsOf(TREE, 'q2')).toEqual(['q2'])
  })
  test('are also those that follow none', () => {
    const roots = mapping(node('q', null, 'a'), node('a', 'q'), node('q2', null), node('lost', 'gone'))
    expect(siblingsOf(roots, 'q2')).toEqual(['q', 'q2', 'lost'])
  })
  test('of what is not there are none, whatever it is called', () => {
    for (const id of ['else', '__proto__', 'constructor', '']) {
      expect([siblingsOf(TREE, id), pathTo(TREE, id), [...branchOf(TREE, id)], besideBranch(TREE, id)], id).toEqual([
        [],
        [],
        [],
        null,
      ])
    }
  })
})

describe('what follows when a branch is taken away', () => {
  test('is the one before it, else the one behind it, read to its end', () => {
    expect(besideBranch(TREE, 'b')).toBe('a')
    expect(besideBranch(TREE, 'a')).toBe('a2')
  })
  test('is what it followed when nothing is beside it, and nothing when it is all there is', () => {
    expect(besideBranch(TREE, 'q2')).toBe('b')
    expect(besideBranch(TREE, 'q')).toBe(null)
  })
  test('has nothing of it', () => {
    expect([...branchOf(TREE, 'b')]).toEqual(['b', 'q2', 'a2'])
    expect(withoutBranch(TREE, 'b')).toEqual(mapping(node('q', null, 'a'), node('a', 'q')))
  })
})

describe('any tree', () => {
  test.each(Array.from({ length: 60 }, (_, at) => at))('is walked without losing the way (seed %i)', seed => {
    const random = randomFrom(seed)
    const [tree, all] = randomTree(1 + random.below(40), random)
    const chosen = new Map(all.filter(() => random.percent(40)).map(id => [id, random.of(all)]))
    for (const id of all) {
      expect(siblingsOf(tree, id)).toContain(id)
      for (const beside of siblingsOf(tree, id)) expect(siblingsOf(tree, beside)).toEqual(siblingsOf(tree, id))
      const leaf = leafUnder(tree, id, chosen)
      expect(tree[leaf]?.children).toEqual([])
      const path = ids(pathTo(tree, leaf))
      expect(path).toContain(id)
      for (const [at, each] of path.entries()) {
        const wanted = chosen.get(each)
        if (at >= path.indexOf(id) && wanted !== undefined && tree[each]?.children.includes(wanted))
          expect(path[at + 1]).toBe(wanted)
      }
      const branch = branchOf(tree, id)
      expect([...branch].every(each => ids(pathTo(tree, each)).includes(id))).toBe(true)
      const left = withoutBranch(tree, id)
      expect(Object.keys(left).toSorted()).toEqual(all.filter(each => !branch.has(each)).toSorted())
      expect(
        Object.values(left)
          .flatMap(({ children }) => children)
          .filter(child => branch.has(child)),
      ).toEqual([])
      const beside = besideBranch(tree, id)
      expect(beside === null ? Object.keys(left).length : Object.hasOwn(left, beside)).toBe(beside === null ? 0 : true)
    }
  })
})

/** Some messages, each following an earlier one or none. */
function randomTree(count: number, random: ReturnType<typeof randomFrom>): [Record<string, Node>, string[]] {
  let tree: Record<string, Node> = {}
  const all = Array.from({ length: count }, (_, at) => `m${at}`)
  for (const [at, id] of all.entries()) {
    const parent = at === 0 || random.percent(8) ? null : random.of(all.slice(Math.max(0, at - 6), at))
    tree = withMessage(tree, node(id, parent))
  }
  return [tree, all]
}

describe('a message that is added', () => {
  test('becomes the newest child of its parent, and nothing else changes', () => {
    const before = structuredClone(TREE)
    const after = withMessage(TREE, node('c', 'q'))
    expect(TREE).toEqual(before)
    expect(after).toEqual({ ...before, q: node('q', null, 'a', 'b', 'c'), c: node('c', 'q') })
    expect(leafUnder(after, 'q')).toBe('c')
  })
  test('a second time replaces itself and is no second child', () => {
    const once = withMessage(TREE, node('c', 'q'))
    expect(withMessage(once, node('c', 'q', 'd'))).toEqual({ ...once, c: node('c', 'q', 'd') })
  })
  test('may begin a tree, or hang from a message that is not there', () => {
    expect(withMessage({}, node('q', null))).toEqual({ q: node('q', null) })
    expect(withMessage({}, node('a', 'gone'))).toEqual({ a: node('a', 'gone') })
  })
})

describe('a tree without some of its nodes', () => {
  const isThought = ({ id }: Node) => id.startsWith('t')
  test('has what followed them follow what was before them, in its order', () => {
    const tree = mapping(
      node('q', null, 'a', 't', 't3', 'c'),
      node('a', 'q'),
      node('t', 'q', 't2', 'b2'),
      node('t2', 't', 'b'),
      node('b', 't2', 'q2'),
      node('b2', 't'),
      node('q2', 'b', 't4'),
      node('t3', 'q'),
      node('c', 'q'),
      node('t4', 'q2'),
    )
    expect(withoutNodes(tree, isThought)).toEqual(
      mapping(
        node('q', null, 'a', 'b', 'b2', 'c'),
        node('a', 'q'),
        node('b', 'q', 'q2'),
        node('b2', 'q'),
        node('q2', 'b'),
        node('c', 'q'),
      ),
    )
  })
  test('keeps links to what is not there, and ends at a cycle', () => {
    expect(withoutNodes(mapping(node('t', 'gone', 'a'), node('a', 't', 'lost')), isThought)).toEqual(
      mapping(node('a', 'gone', 'lost')),
    )
    const cycle = mapping(node('t', 't2', 't2', 'a'), node('t2', 't', 't'), node('a', 't'))
    expect(Object.keys(withoutNodes(cycle, isThought))).toEqual(['a'])
  })
})
