/** A message as it hangs in its tree; null stands for a node that says nothing and is left out. */
export type TreeNode<M> = { parent: string | null; children: readonly string[]; message: M | null }

type Placed<M> = { id: string; parent: string | null; message: M }

/**
 * The messages, each after its parent, siblings in their order. The children of a node without a message become children of the one
 * above it; a cycle is cut somewhere; each node is visited once, so that no file makes this endless.
 */
export function inTreeOrder<M>(nodes: ReadonlyMap<string, TreeNode<M>>): Placed<M>[] {
  const placed: Placed<M>[] = []
  const seen = new Set<string>()
  const childrenOf = childLists(nodes)
  const visit = (start: string) => {
    const waiting: { id: string; parent: string | null }[] = [{ id: start, parent: null }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { id, parent } = next
      const node = nodes.get(id)
      if (node === undefined || seen.has(id)) continue
      seen.add(id)
      if (node.message !== null) placed.push({ id, parent, message: node.message })
      const above = node.message === null ? parent : id
      // The last one is visited first, so they are laid down in reverse.
      for (const child of (childrenOf.get(id) ?? []).toReversed()) waiting.push({ id: child, parent: above })
    }
  }
  for (const [id, { parent }] of nodes) if (parent === null || !nodes.has(parent)) visit(id)
  for (const id of nodes.keys()) visit(id)
  return placed
}

/** The parent's own word counts; children it does not name come behind those it does. */
function childLists<M>(nodes: ReadonlyMap<string, TreeNode<M>>): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  for (const [id, { children }] of nodes)
    lists.set(
      id,
      [...new Set(children)].filter(child => nodes.get(child)?.parent === id),
    )
  const named = new Set([...lists.values()].flat())
  for (const [id, { parent }] of nodes) if (parent !== null && !named.has(id)) lists.get(parent)?.push(id)
  return lists
}
