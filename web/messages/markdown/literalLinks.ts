import type { Link, Nodes, PhrasingContent, Root } from 'mdast'
import { addressLength } from './addresses.ts'

/** A bare address that only the finished tree shows, as behind a bracket that is never closed, ends where every other does (addresses.ts). */
export function endLiteralLinks(root: Root): void {
  inNode(root)
}

function inNode(node: Nodes): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  // From the end, since a link becomes two.
  for (const [at, child] of [...children.entries()].toReversed()) {
    const parts = child.type === 'link' ? ended(child) : null
    if (parts) children.splice(at, 1, ...parts)
    else inNode(child)
  }
}

const OTHER = /[^\x21-\x7E]|["<>\\`]/

function ended(link: Link): readonly PhrasingContent[] | null {
  const [text, more] = link.children
  if (more || link.position || text?.type !== 'text' || link.url.startsWith('mailto:')) return null
  const { value } = text
  const end = value.search(OTHER)
  const length = addressLength(end === -1 ? value : value.slice(0, end), '', end === -1 ? '' : value.charAt(end))
  if (length === value.length) return null
  if (length === 0) return [{ type: 'text', value }]
  const url = link.url.slice(0, link.url.length - (value.length - length))
  return [
    { ...link, url, children: [{ ...text, value: value.slice(0, length) }] },
    { type: 'text', value: value.slice(length) },
  ]
}
