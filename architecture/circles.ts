import { importsOf, type Source } from './sources.ts'

/** Groups of files that import each other, directly or by way of others, be it only a type. */
export function importCircles(sources: readonly Source[]): string[][] {
  const paths = new Set(sources.map(({ path }) => path))
  return stronglyConnected(
    new Map(
      sources.map(source => [
        source.path,
        new Set(importsOf(source).flatMap(({ of, ours }) => (ours && paths.has(of) ? [of] : []))),
      ]),
    ),
  )
}

/** Strongly connected components (Tarjan) of more than one node. */
export function stronglyConnected(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found = new Map<string, { index: number; low: number; onStack: boolean }>()
  const stack: string[] = []
  const circles: string[][] = []

  function follow(path: string): { index: number; low: number; onStack: boolean } {
    const node = { index: found.size, low: found.size, onStack: true }
    found.set(path, node)
    stack.push(path)
    for (const imported of imports.get(path) ?? []) {
      const known = found.get(imported)
      if (known === undefined) node.low = Math.min(node.low, follow(imported).low)
      else if (known.onStack) node.low = Math.min(node.low, known.index)
    }
    if (node.low === node.index) {
      const group = stack.splice(stack.indexOf(path))
      for (const member of group) found.set(member, { ...node, onStack: false })
      if (group.length > 1) circles.push(group.toSorted())
    }
    return node
  }

  for (const path of imports.keys()) if (!found.has(path)) follow(path)
  return circles
}
