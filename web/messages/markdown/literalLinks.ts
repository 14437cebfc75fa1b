import type { Link, Nodes, Root, Text } from 'mdast'

const CHINESE_MARK = /[\u3000-\u303F\uFF01-\uFF65“”‘’…—]/

/** A bare address in Chinese text ends at a Chinese mark, where the rule made for English would take the rest of the sentence. */
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

function ended(link: Link): [Link, Text] | null {
  const [text, more] = link.children
  if (more || text?.type !== 'text' || text.position?.start.offset !== link.position?.start.offset) return null
  const end = text.value.search(CHINESE_MARK)
  if (end <= 0) return null
  const url = link.url.slice(0, link.url.length - (text.value.length - end))
  return [{ ...link, url, children: [{ ...text, value: text.value.slice(0, end) }] }, { type: 'text', value: text.value.slice(end) }]
}
