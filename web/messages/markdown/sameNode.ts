import type { Nodes } from 'mdast'

const NOT_CONTENT = new Set(['children', 'position', 'data', 'pending'])

/** Whether two trees show the same; where they stood in the text does not count. */
export function sameNode(one: Nodes, other: Nodes): boolean {
  if (one === other) return true
  const keys = contentKeys(one)
  if (keys.length !== contentKeys(other).length) return false
  const otherFields = new Map<string, unknown>(Object.entries(other))
  for (const [key, value] of Object.entries(one)) {
    if (!NOT_CONTENT.has(key) && !sameField(value, otherFields.get(key))) return false
  }
  return sameChildren(one, other)
}

const contentKeys = (node: Nodes) =>
  Object.entries(node).filter(([key, value]) => !NOT_CONTENT.has(key) && value !== null && value !== undefined)

function sameChildren(one: Nodes, other: Nodes): boolean {
  if (!('children' in one) || !('children' in other)) return 'children' in one === 'children' in other
  const others: readonly Nodes[] = other.children
  const ones: readonly Nodes[] = one.children
  return ones.length === others.length && ones.every((child, at) => isSame(child, others[at]))
}

function isSame(one: Nodes, other: Nodes | undefined): boolean {
  return other !== undefined && sameNode(one, other)
}

function sameField(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => value === other[at])
  }
  return (one ?? null) === (other ?? null)
}
