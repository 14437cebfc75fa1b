import { isThoughts, type Message } from './messages.ts'

/** The fields of a message that are needed to walk the tree. */
type Node = Pick<Message, 'id' | 'parent' | 'children'> & Partial<Pick<Message, 'content'>>
type Mapping<N extends Node = Node> = Readonly<Record<string, N>>

/** Looks up own properties only: an id such as `constructor` must not find what objects inherit. */
function nodeOf<N extends Node>(mapping: Mapping<N>, id: string | null): N | undefined {
  return id !== null && Object.hasOwn(mapping, id) ? mapping[id] : undefined
}

function childrenOf(mapping: Mapping, id: string): string[] {
  return nodeOf(mapping, id)?.children.filter(child => isBranch(nodeOf(mapping, child))) ?? []
}

/** Whether a node counts as a branch. Thoughts without an answer do not. */
function isBranch(node: Node | undefined): boolean {
  return node !== undefined && !(node.children.length === 0 && isThoughts({ content: node.content ?? null }))
}

/** From the root to `id`, both included. Stops at a parent that is not in the mapping, and at a cycle. */
export function pathTo<N extends Node>(mapping: Mapping<N>, id: string | null): N[] {
  const path: N[] = []
  const seen = new Set<string>()
  let node = nodeOf(mapping, id)
  while (node !== undefined && !seen.has(node.id)) {
    seen.add(node.id)
    path.push(node)
    node = nodeOf(mapping, node.parent)
  }
  return path.reverse()
}

/** The thread to show: the path, and after a question without an answer its latest thoughts. */
export function threadTo(mapping: Mapping<Message>, id: string | null): Message[] {
  const path = pathTo(mapping, id)
  const last = path.at(-1)
  if (last?.role !== 'user' || childrenOf(mapping, last.id).length > 0) return path
  const thoughts = last.children.map(child => nodeOf(mapping, child)).findLast(child => child !== undefined)
  return thoughts === undefined ? path : [...path, thoughts]
}

/** Whether a question has no answer yet. */
export function isUnanswered(mapping: Mapping, id: string): boolean {
  return childrenOf(mapping, id).length === 0
}

/** A message and its siblings, in order of arrival. Messages without a parent are siblings of each other. */
export function siblingsOf(mapping: Mapping, id: string): string[] {
  const node = nodeOf(mapping, id)
  if (node === undefined) return []
  const above = nodeOf(mapping, node.parent)
  return above === undefined
    ? Object.values(mapping)
        .filter(each => isBranch(each) && nodeOf(mapping, each.parent) === undefined)
        .map(root => root.id)
    : childrenOf(mapping, above.id)
}

/** By parent id: the child on the branch that was shown last. */
export type BranchChoices = ReadonlyMap<string, string>

/** The leaf below a message: at each fork the child that was shown last, else the newest. */
export function leafUnder(mapping: Mapping, id: string, chosen: BranchChoices = new Map()): string {
  const seen = new Set<string>()
  let current = id
  while (!seen.has(current)) {
    seen.add(current)
    const children = childrenOf(mapping, current)
    const wanted = chosen.get(current)
    const next = wanted !== undefined && children.includes(wanted) ? wanted : children.at(-1)
    if (next === undefined) break
    current = next
  }
  return current
}

/** A message and everything that follows from it. */
export function branchOf(mapping: Mapping, id: string): Set<string> {
  const found = new Set(nodeOf(mapping, id) === undefined ? [] : [id])
  // A loop over a set also visits what is added during the loop.
  for (const each of found) for (const child of childrenOf(mapping, each)) found.add(child)
  return found
}

/** The new current node when a branch is removed: a leaf of the previous sibling, else of the next, else the parent. */
export function besideBranch(mapping: Mapping, id: string): string | null {
  const siblings = siblingsOf(mapping, id)
  const at = siblings.indexOf(id)
  const beside = siblings[at - 1] ?? siblings[at + 1]
  if (beside !== undefined) return leafUnder(mapping, beside)
  return nodeOf(mapping, nodeOf(mapping, id)?.parent ?? null)?.id ?? null
}

/** The mapping without that branch. */
export function withoutBranch<N extends Node>(mapping: Mapping<N>, id: string): Record<string, N> {
  const gone = branchOf(mapping, id)
  return Object.fromEntries(
    Object.entries(mapping)
      .filter(([each]) => !gone.has(each))
      .map(([each, node]) => [
        each,
        node.children.includes(id) ? { ...node, children: node.children.filter(child => child !== id) } : node,
      ]),
  )
}

/** Removes nodes from the tree; the children of a removed node become children of its parent. */
export function withoutNodes<N extends Node>(mapping: Mapping<N>, isLeftOut: (node: N) => boolean): Record<string, N> {
  const kept: Record<string, N> = {}
  for (const [id, node] of Object.entries(mapping)) {
    if (!isLeftOut(node))
      kept[id] = { ...node, parent: keptAbove(mapping, node, isLeftOut), children: keptBelow(mapping, node, isLeftOut) }
  }
  return kept
}

function keptAbove<N extends Node>(mapping: Mapping<N>, node: N, isLeftOut: (node: N) => boolean): string | null {
  const seen = new Set<string>()
  let above = nodeOf(mapping, node.parent)
  let parent = node.parent
  while (above !== undefined && isLeftOut(above) && !seen.has(above.id)) {
    seen.add(above.id)
    parent = above.parent
    above = nodeOf(mapping, parent)
  }
  return parent
}

/** In order: the children of a removed node take its position. */
function keptBelow<N extends Node>(mapping: Mapping<N>, node: N, isLeftOut: (node: N) => boolean): string[] {
  const kept: string[] = []
  const seen = new Set<string>()
  const left = [...node.children].reverse()
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const child = nodeOf(mapping, id)
    if (seen.has(id)) continue
    seen.add(id)
    if (child !== undefined && isLeftOut(child)) left.push(...child.children.toReversed())
    else kept.push(id)
  }
  return kept
}

/** The specification, section 4: consecutive new messages are chained; the first is attached to the current node. */
export function withMessage<N extends Node>(mapping: Mapping<N>, message: N): Record<string, N> {
  const next: Record<string, N> = { ...mapping, [message.id]: message }
  const parent = nodeOf(mapping, message.parent)
  if (parent !== undefined && !parent.children.includes(message.id)) {
    next[parent.id] = { ...parent, children: [...parent.children, message.id] }
  }
  return next
}
