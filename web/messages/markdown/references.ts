import type { Definition, Nodes, PhrasingContent, RootContent } from 'mdast'

/** `[text][1]` and `![alt][1]` made into links and images, so that each block stands for itself. Changes the nodes. */
export function resolveReferences(nodes: RootContent[], definitions: readonly Definition[]): readonly RootContent[] {
  const known = new Map<string, Definition>()
  // The first one counts, as in CommonMark.
  for (const definition of definitions)
    if (!known.has(definition.identifier)) known.set(definition.identifier, definition)
  if (known.size > 0) for (const node of nodes) resolveIn(node, known)
  return nodes
}

function resolveIn(node: Nodes, known: ReadonlyMap<string, Definition>): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  children.forEach((child, at) => {
    resolveIn(child, known)
    children[at] = resolved(child, known)
  })
}

function resolved(node: Nodes, known: ReadonlyMap<string, Definition>): Nodes | PhrasingContent {
  if (node.type !== 'linkReference' && node.type !== 'imageReference') return node
  const definition = known.get(node.identifier)
  if (!definition) return node
  const { url, title } = definition
  const { position } = node
  return node.type === 'linkReference'
    ? { type: 'link', url, title, children: node.children, position }
    : { type: 'image', url, title, alt: node.alt, position }
}
